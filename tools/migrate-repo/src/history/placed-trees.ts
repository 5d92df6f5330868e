import type { Placement } from "../migration.js";
import type { PackWriter } from "../objects/pack-writer.js";
import {
  canonicalMode,
  EMPTY_TREES,
  FOLDER,
  formatTree,
  type TreeEntry,
} from "../objects/tree-object.js";

/** A folder above placements. An entry is a folder in turn, or the index of a placement. */
type Folder = Map<string, Folder | number>;

/** Writes root trees that hold only a commit's entries at its placements. */
export class PlacedTrees {
  readonly #pack: PackWriter;
  readonly #top: Folder = new Map();
  /**
   * The last tree. A commit with the same entries as the previous one (an empty commit, a commit of messages) reuses
   * it.
   */
  #last: { readonly key: string; readonly id: string } | undefined;

  /** @param placements placements with destinations that don't overlap */
  constructor(pack: PackWriter, placements: readonly Placement[]) {
    this.#pack = pack;
    placements.forEach(({ to }, index) => {
      const parts = Buffer.from(to).toString("latin1").split("/");
      const last = parts.pop() ?? "";
      let folder = this.#top;
      for (const part of parts) {
        const next = folder.get(part) ?? new Map<string, Folder | number>();
        if (typeof next === "number") throw new Error("placements overlap");
        folder.set(part, next);
        folder = next;
      }
      folder.set(last, index);
    });
  }

  /** Writes a root tree. @param found the entry at each placement, in their order @returns the root tree's id */
  of(found: readonly (TreeEntry | undefined)[]): string {
    const key = found.map((entry) => entry?.id).join();
    if (this.#last?.key !== key)
      this.#last = {
        key,
        id: this.#make(this.#top, found) ?? this.#pack.add("tree", NOTHING),
      };
    return this.#last.id;
  }

  #make(
    folder: Folder,
    found: readonly (TreeEntry | undefined)[],
  ): string | undefined {
    const entries: [string, TreeEntry][] = [];
    for (const [name, inside] of folder) {
      if (typeof inside === "number") {
        const entry = found[inside];
        if (entry && !EMPTY_TREES.includes(entry.id))
          entries.push([
            name,
            { mode: canonicalMode(entry.mode), id: entry.id },
          ]);
      } else {
        const id = this.#make(inside, found);
        if (id !== undefined) entries.push([name, { mode: FOLDER, id }]);
      }
    }
    return entries.length === 0
      ? undefined
      : this.#pack.add("tree", formatTree(entries));
  }
}

const NOTHING = Buffer.alloc(0);
