import type { FoundReference } from "../graph.js";
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

/** A package that a file matters to, with its shortest chain of references. */
export interface ClimbedUse {
  readonly workspace: string;
  readonly via: readonly FoundReference[];
  readonly testOnly: boolean;
}

/** The packages and files that a file matters to, each with its shortest chain of references. */
export interface Climbed {
  /**
   * One use for each package and one for each of its scripts that only test or check. The chain doesn't begin in a test if
   * there is such a chain.
   */
  readonly packages: readonly ClimbedUse[];
  /** Files that no package owns, including the file itself. */
  readonly files: ReadonlyMap<string, readonly FoundReference[]>;
}

/** Finds everything that a file matters to, also through files that no package owns. */
export function climb(
  path: string,
  { layout, matches, asides, checks }: ReferenceWorld,
): Climbed {
  const rootName = layout.nameOf(layout.root);
  const packages = new Map<string, ClimbedUse>();
  const files = new Map<string, readonly FoundReference[]>([[path, []]]);
  function add(use: ClimbedUse): void {
    const [first] = use.via;
    const check = first && checks.around(first);
    const key = `${use.workspace}\0${check ?? ""}`;
    const known = packages.get(key);
    if (!known || (known.testOnly && !use.testOnly)) packages.set(key, use);
  }
  for (const [file, chain] of files)
    for (const match of matches.of(file)) {
      const { layer, row, reference, byFolder, script } = match;
      const via = [reference, ...(script ? [script] : []), ...chain];
      if (reference.from !== rootName) {
        const testOnly =
          !layer.isUnparsed(row) &&
          (asides.isAsideUse(reference, file) ||
            asides.isApart(reference.file, reference.kind));
        add({ workspace: reference.from, via, testOnly });
        for (const user of testOnly
          ? asides.usersElsewhere(reference.file)
          : [])
          add({
            workspace: user.via[0].from,
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
  return { packages: [...packages.values()], files };
}

/** Returns the packages that a file matters to by their names, each with its first use. */
export function usersIn({
  packages,
}: Climbed): ReadonlyMap<string, ClimbedUse> {
  const users = new Map<string, ClimbedUse>();
  for (const use of packages)
    if (!users.has(use.workspace)) users.set(use.workspace, use);
  return users;
}
