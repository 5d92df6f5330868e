import { openObjects, type Git } from "@skein/git";
import type { Placement } from "../migration.js";
import type { TreeEntry } from "../objects/tree-object.js";

/** Finds the entries of a source commit at all placements. Disposal ends its process. */
export interface PlacedEntries extends Disposable {
  /**
   * Reads the entries of one commit.
   * @param tree the commit's root tree, or the commit (not for a whole repository)
   * @returns one entry per placement, in their order
   */
  of(tree: string): Promise<readonly (TreeEntry | undefined)[]>;
}

/** Opens a reader for these placements. The whole repository (`from: ""`) needs no reading: it is the root tree. */
export function openPlacedEntries(
  git: Git,
  placements: readonly Placement[],
): PlacedEntries {
  const objects = openObjects(git);
  const lookUp = async (
    tree: string,
    from: string,
  ): Promise<TreeEntry | undefined> => {
    if (from === "") return { mode: "040000", id: tree };
    const cut = from.lastIndexOf("/");
    // Read the parent folder, because that holds the mode.
    const parent = await objects.read(
      `${tree}:${cut < 0 ? "" : from.slice(0, cut)}`,
    );
    if (parent?.type !== "tree") return undefined;
    return findEntry(parent.content, from.slice(cut + 1), tree.length / 2);
  };
  return {
    of: (tree) => Promise.all(placements.map(({ from }) => lookUp(tree, from))),
    [Symbol.dispose]: () => objects.close(),
  };
}

/** Finds one name in a raw tree object, which repeats `<mode> <name>\0<id bytes>`. */
function findEntry(
  tree: Buffer,
  name: string,
  idLength: number,
): TreeEntry | undefined {
  const wanted = Buffer.from(name);
  let at = 0;
  while (at < tree.length) {
    const space = tree.indexOf(32, at);
    const zero = tree.indexOf(0, space);
    if (tree.subarray(space + 1, zero).equals(wanted)) {
      return {
        mode: tree.toString("latin1", at, space).padStart(6, "0"),
        id: tree.toString("hex", zero + 1, zero + 1 + idLength),
      };
    }
    at = zero + 1 + idLength;
  }
  return undefined;
}
