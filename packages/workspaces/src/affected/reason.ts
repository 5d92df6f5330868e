import type { ChangeKind } from "@skein/changes";
import type { EdgeKind } from "../graph.js";
import type { LockChange } from "../lockfile/compare.js";

/** The place of a reference to a file or package. */
export interface Referrer {
  /** From the project's root. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** As it is written there. */
  readonly specifier: string;
  /** The known ending of a path whose beginning is `specifier`. */
  readonly suffix?: string;
}

/** The references in other files that lead to the path, nearest to the package first. Left out if the package uses the path itself. */
type Via = readonly Referrer[];

/** The reason why something is affected, always with its evidence, also if the effect is uncertain. */
export type Reason =
  /** A file of the package itself changed, or it can't be read, so it may refer to a changed file. */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly change: ChangeKind | "unreadable";
    }
  /** Only a test changed: the package's own scripts must run, but not its dependents'. */
  | {
      readonly kind: "test-file";
      readonly path: string;
      readonly change: ChangeKind | "unreadable";
    }
  /** A file outside the package changed, and a file of the package (or its manifest) refers to it. */
  | {
      readonly kind: "referenced-file";
      readonly path: string;
      readonly referrer: Referrer;
      readonly via?: Via;
      /** The reference is an open end: only the beginning of the path is known. No other one leads to the file. */
      readonly isGuess?: true;
      /** Only asides of the package use it, so dependents aren't affected by it. */
      readonly testOnly?: true;
    }
  /** Settings changed that no file names, and a script of the package runs a program that looks them up, or may do so. */
  | {
      readonly kind: "looked-up-file";
      readonly path: string;
      /** The settings that lead to the file, if it isn't itself the file that is looked up. */
      readonly by?: string;
      readonly via?: Via;
      /** The role of the settings: `Jest's settings`. */
      readonly role: string;
      readonly script: string;
      readonly program: string;
      /** Whether the program is known to look them up; otherwise it isn't known what it reads. */
      readonly isKnown: boolean;
      /** No unit of the package is known to read it. */
      readonly isGuess?: true;
      /** Dependents don't use the result of such a program. */
      readonly testOnly?: true;
    }
  /** An external package changed that the package uses, although its own manifest doesn't resolve it. */
  | {
      readonly kind: "external";
      readonly change: LockChange;
      readonly use: ExternalUse;
      /** Skein can't tell whether the package uses it: an open end, or a program that may run anything. */
      readonly isGuess?: true;
      readonly testOnly?: true;
    }
  | { readonly kind: "new-package" }
  /** The package resolves to other external packages than before. */
  | { readonly kind: "lockfile"; readonly change: LockChange }
  /** A package that it depends on is affected. */
  | {
      readonly kind: "dependency";
      readonly on: string;
      readonly edge: EdgeKind;
      readonly evidence: string;
      /** Only open ends, or programs that may read anything, lead there. */
      readonly isGuess?: true;
      readonly testOnly?: true;
    }
  /** A package that it depended on was removed. */
  | {
      readonly kind: "removed-dependency";
      readonly on: string;
      readonly evidence: string;
      readonly testOnly?: true;
    }
  | EverythingReason;

/** How a package uses an external package that its own dependencies don't lead to. */
export type ExternalUse =
  /** A file names it. */
  | { readonly kind: "named"; readonly referrer: Referrer }
  /** The manifest declares it as a peer. */
  | { readonly kind: "peer" }
  /** One of its dependencies may need it as a peer, because the lockfile doesn't contain peers. */
  | { readonly kind: "possiblePeer" }
  /** A script runs, or may run, one of its programs. */
  | {
      readonly kind: "program";
      readonly script: string;
      readonly program: string;
    }
  /** Compilers load the types of all packages of this kind. */
  | {
      readonly kind: "types";
      readonly script: string;
      readonly program: string;
    };

/** The reason why everything is affected. */
export type EverythingReason =
  /** A file that may concern any package, by its role. */
  | {
      readonly kind: "global-file";
      readonly path: string;
      readonly role: string;
    }
  /** A file that no package owns, and that no rule covers. */
  | { readonly kind: "unowned-file"; readonly path: string }
  /** A field of the root's package.json that may concern any package. */
  | { readonly kind: "root-manifest"; readonly field: string }
  /** The root's own dependencies changed; all packages can use their programs and hoisted packages. */
  | {
      readonly kind: "root-dependencies";
      readonly change: LockChange | undefined;
    }
  /** Not all changes are known. */
  | { readonly kind: "unknown"; readonly detail: string };

/** The reason why a changed file affects nothing. */
export type NoEffect =
  | "documentation"
  | "settings-ignore"
  | "not-an-input"
  | "outside-project"
  | "unread"
  | "compared-by-meaning"
  | "derived-from-lockfile"
  | "package-removed";

/** Returns whether what affects a package for this reason affects its dependents too. */
export function reasonSpreads(reason: Reason): boolean {
  return reason.kind !== "test-file" && !("testOnly" in reason);
}

/** Returns whether the cause is certain: neither an open end nor a program that Skein doesn't know leads to the package. */
function isCertain(reason: Reason): boolean {
  return (
    !("isGuess" in reason) &&
    !(reason.kind === "looked-up-file" && !reason.isKnown)
  );
}

/**
 * Sorts the reasons of each package, because texts for people show only the first one: certain ones first. A dependency that
 * was itself found later stays behind, because it may be affected only by the package itself.
 * @param found each package's reasons, in the order in which the packages were found
 */
export function certainFirst(
  found: ReadonlyMap<string, readonly Reason[]>,
): Map<string, readonly Reason[]> {
  const order = new Map([...found.keys()].map((name, index) => [name, index]));
  return new Map(
    Array.from(found, ([name, reasons], index) => {
      const isFirst = (reason: Reason) =>
        isCertain(reason) &&
        !(reason.kind === "dependency" && (order.get(reason.on) ?? 0) > index);
      const others = reasons.filter((reason) => !isFirst(reason));
      return [name, [...reasons.filter(isFirst), ...others]];
    }),
  );
}
