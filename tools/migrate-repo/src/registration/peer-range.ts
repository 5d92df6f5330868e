import {
  intersects,
  maxSatisfying,
  prerelease,
  satisfies,
  subset,
  validRange,
} from "semver";
import { COMPARABLE } from "@skein/versions";

/**
 * The range for an undeclared peer, and the reason. There is no range if the packages that require the peer disagree.
 */
export interface ChosenRange {
  readonly range: string | undefined;
  readonly because: "own-lock" | "workspace" | "below" | "peer-range";
}

/** The workspace's own range. */
export interface Had {
  readonly written: string;
  readonly meant: string;
  /** The version that this range resolves to, if known. */
  readonly version: string | undefined;
}

/**
 * Chooses the range for the declaration of a peer: the workspace's range if it fits, otherwise the version that the
 * package had in the source.
 * @param asked the ranges of the packages that require the peer
 * @param home the version that the peer resolved to in the source; undefined if the package had no lockfile
 * @param below the versions among the package's other dependencies: without a lockfile, npm would use one of them
 */
export function chooseRange(
  asked: readonly string[],
  home: string | undefined,
  workspace: Had | undefined,
  below: readonly string[] = [],
): ChosenRange {
  const ranges = [...new Set(asked)];
  const fits = (range: string) =>
    validRange(range) !== null &&
    ranges.every((one) => validRange(one) !== null && subset(range, one));
  const isKnown =
    workspace !== undefined &&
    (home === undefined
      ? fits(workspace.version ?? workspace.meant)
      : validRange(workspace.meant) !== null &&
        satisfies(home, workspace.meant));
  if (isKnown) return { range: workspace.written, because: "workspace" };
  if (home !== undefined) return { range: caret(home), because: "own-lock" };
  const fitting = below.filter((version) =>
    ranges.every((one) => satisfies(version, one)),
  );
  const brought = maxSatisfying(fitting, "*");
  if (brought !== null) return { range: caret(brought), because: "below" };
  return {
    range:
      ranges.find(fits) ??
      ranges.reduce<string | undefined>(intersectionOf, "*"),
    because: "peer-range",
  };
}

/** Returns the range for a version of a package; a pre-release is pinned. */
export function caret(version: string): string {
  return prerelease(version) ? version : `^${version}`;
}

/** Returns the range that a person would write for a resolved version, if it allows nothing beyond the given range. */
export function settleRange(range: string, version: string): string {
  if (COMPARABLE.test(range)) return range;
  if (prerelease(version)) return version;
  return (
    [`^${version}`, `~${version}`].find((one) => subset(one, range)) ?? version
  );
}

/**
 * Intersects two ranges, alternative by alternative (`||`); undefined if nothing remains, or if one of them isn't a
 * range.
 */
function intersectionOf(a: string | undefined, b: string): string | undefined {
  if (a === undefined || validRange(a) === null || validRange(b) === null)
    return undefined;
  const alternatives = (range: string) =>
    range.split("||").map((one) => one.trim());
  const both = alternatives(a).flatMap((one) =>
    alternatives(b).flatMap((other) => {
      if (!intersects(one, other)) return [];
      if (subset(one, other)) return [one];
      return [
        subset(other, one) ? other : tightest(`${plain(one)} ${plain(other)}`),
      ];
    }),
  );
  return both.length === 0 ? undefined : [...new Set(both)].join(" || ");
}

/** Returns a range with only `>=` and `<`. Two hyphen ranges can be joined only in this form. */
function plain(range: string): string {
  return validRange(range) ?? range;
}

/** Removes bounds that another bound implies: `>=4.8.4 <6.1.0 >=5.5.0` becomes `<6.1.0 >=5.5.0`. */
function tightest(range: string): string {
  const bounds = [...new Set(range.split(" "))];
  return bounds
    .filter((one) =>
      bounds.every((other) => other === one || !subset(other, one)),
    )
    .join(" ");
}
