import type { TreeEntry } from "../objects/tree-object.js";

/** The decision about a commit if only some paths are migrated. */
export type Judgement =
  | { readonly kind: "keep"; readonly parents: readonly string[] }
  /** The commit adds nothing to this parent. If that is undefined, there is no new commit at all. */
  | { readonly kind: "same-as"; readonly parent: string | undefined };

interface Kept {
  /** Increases in topological order; 0 for commits of earlier runs, which come before all others. */
  readonly order: number;
  readonly entries: string;
  readonly parents: readonly string[];
}

/**
 * Decides which commits of a path-limited history stay, by git-filter-repo's rule. A commit that changes none of the
 * chosen paths is dropped. A merge loses parents that are ancestors of its other parents, and is dropped if it changes
 * nothing after that.
 */
export class Pruner {
  readonly #kept = new Map<string, Kept>();

  /**
   * Decides about one commit.
   * @param entries the commit's entries at the placements
   * @param parents its rewritten parents, each once
   */
  judge(
    entries: readonly (TreeEntry | undefined)[],
    parents: readonly string[],
  ): Judgement {
    const key = keyOf(entries);
    if (parents.length === 0 && entries.every((entry) => entry === undefined))
      return { kind: "same-as", parent: undefined };
    const needed = parents.filter(
      (parent) => !this.#coveredByOthers(parent, parents),
    );
    const [only, second] = needed;
    if (only !== undefined && second === undefined) {
      if (this.#kept.get(only)?.entries === key)
        return { kind: "same-as", parent: only };
    }
    return { kind: "keep", parents: needed };
  }

  /** Returns whether a commit is recorded. */
  knows(name: string): boolean {
    return this.#kept.has(name);
  }

  /** Records a commit that stays, under its new id, which its children will use. */
  keep(
    name: string,
    entries: readonly (TreeEntry | undefined)[],
    parents: readonly string[],
  ): void {
    if (this.#kept.has(name)) return;
    const order = this.#kept.size + 1;
    this.#kept.set(name, { order, entries: keyOf(entries), parents });
  }

  /** Records a commit of an earlier run. */
  introduce(name: string, entries: readonly (TreeEntry | undefined)[]): void {
    this.#kept.set(name, { order: 0, entries: keyOf(entries), parents: [] });
  }

  #orderOf(name: string): number {
    return this.#kept.get(name)?.order ?? 0;
  }

  #coveredByOthers(parent: string, parents: readonly string[]): boolean {
    return parents.some(
      (other) => other !== parent && this.#isAncestor(parent, other),
    );
  }

  #isAncestor(ancestor: string, descendant: string): boolean {
    const limit = this.#orderOf(ancestor);
    const seen = new Set<string>();
    const open = [descendant];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (at === ancestor) return true;
      // A commit that is older than the ancestor can't descend from it.
      if (seen.has(at) || this.#orderOf(at) < limit) continue;
      seen.add(at);
      open.push(...(this.#kept.get(at)?.parents ?? []));
    }
    return false;
  }
}

function keyOf(entries: readonly (TreeEntry | undefined)[]): string {
  return entries
    .map((entry) => (entry ? `${entry.mode} ${entry.id}` : "-"))
    .join("\n");
}
