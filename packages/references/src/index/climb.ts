import type { FoundReference } from "../graph.js";
import { KIND_TRAITS } from "./kinds.js";
import type { Layout } from "./layout.js";
import type { Matches } from "./matches.js";
import type { Asides } from "./asides.js";

/** The index of a project's references. */
export interface ReferenceWorld {
  readonly layout: Layout;
  readonly matches: Matches;
  readonly asides: Asides;
}

/** The packages and files that a file matters to, each with its shortest chain of references. */
export interface Climbed {
  /** By name. The chain doesn't begin in a test if there is such a chain. */
  readonly packages: ReadonlyMap<
    string,
    { readonly via: readonly FoundReference[]; readonly testOnly: boolean }
  >;
  /** Files that no package owns, including the file itself. */
  readonly files: ReadonlyMap<string, readonly FoundReference[]>;
}

/** Finds everything that a file matters to, also through files that no package owns. */
export function climb(
  path: string,
  { layout, matches, asides }: ReferenceWorld,
): Climbed {
  const rootName = layout.nameOf(layout.root);
  const packages = new Map<
    string,
    { via: readonly FoundReference[]; testOnly: boolean }
  >();
  const files = new Map<string, readonly FoundReference[]>([[path, []]]);
  function add(
    name: string,
    via: readonly FoundReference[],
    testOnly: boolean,
  ): void {
    if (packages.get(name)?.testOnly === false) return;
    if (!testOnly || !packages.has(name)) packages.set(name, { via, testOnly });
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
        add(reference.from, via, testOnly);
        for (const user of testOnly
          ? asides.usersElsewhere(reference.file)
          : [])
          add(user.via[0].from, [...user.via, ...via], user.testOnly);
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
