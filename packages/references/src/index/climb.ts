import type { FoundReference, SourceEdge } from "../graph.js";
import { KIND_TRAITS } from "./kinds.js";
import type { Layout } from "./layout.js";
import type { Matches } from "./matches.js";
import type { Asides } from "./asides.js";
import type { Checks } from "./checks.js";

/** The index of a project's references. */
export interface ReferenceWorld {
  readonly layout: Layout;
  readonly matches: Matches;
  readonly asides: Asides;
  readonly checks: Checks;
}

/** How a package uses a file: by its shortest chain of references. */
export interface Use extends Pick<SourceEdge, "testOnly" | "scripts"> {
  readonly via: readonly FoundReference[];
}

/**
 * Returns the use that stands for two uses by one package: one of a source takes precedence over one of an aside, and the
 * first one over the second. Uses by scripts only are joined.
 */
export function strongerUse<T extends Pick<Use, "testOnly" | "scripts">>(
  known: T | undefined,
  next: T,
): T {
  if (!known) return next;
  if (!known.testOnly || !next.testOnly) return known.testOnly ? next : known;
  if (!known.scripts || !next.scripts) return known.scripts ? next : known;
  return {
    ...known,
    scripts: [...new Set([...known.scripts, ...next.scripts])],
  };
}

/** The packages and files that a file matters to, each with its shortest chain of references. */
export interface Climbed {
  /** By name. The chain doesn't begin in a test if there is such a chain. */
  readonly packages: ReadonlyMap<string, Use>;
  /** Files that no package owns, including the file itself. */
  readonly files: ReadonlyMap<string, readonly FoundReference[]>;
}

/** Finds everything that a file matters to, also through files that no package owns. */
export function climb(
  path: string,
  { layout, matches, asides, checks }: ReferenceWorld,
): Climbed {
  const rootName = layout.nameOf(layout.root);
  const packages = new Map<string, Use>();
  const files = new Map<string, readonly FoundReference[]>([[path, []]]);
  const add = (name: string, use: Use) =>
    packages.set(name, strongerUse(packages.get(name), use));
  for (const [file, chain] of files)
    for (const match of matches.of(file)) {
      const { layer, row, reference, byFolder, script } = match;
      const via = [reference, ...(script ? [script] : []), ...chain];
      if (reference.from !== rootName) {
        const testOnly =
          !layer.isUnparsed(row) &&
          (asides.isAsideUse(reference, file) ||
            asides.isApart(reference.file, reference.kind));
        const check = testOnly ? undefined : checks.of(layer, row);
        add(reference.from, { via, testOnly, ...check });
        for (const user of testOnly
          ? asides.usersElsewhere(reference.file)
          : [])
          add(user.via[0].from, {
            via: [...user.via, ...via],
            testOnly: user.testOnly,
          });
      } else if (
        !files.has(reference.file) &&
        reference.kind !== "selection" &&
        !matches.isOfRootScript(layer, row) &&
        (!byFolder || KIND_TRAITS[reference.kind].loadsFolders)
      ) {
        files.set(reference.file, via);
      }
    }
  return { packages, files };
}
