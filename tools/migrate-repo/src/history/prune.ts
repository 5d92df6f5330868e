import type { TreeEntry } from "../objects/tree-object.js";

/** The decision about a commit when only some paths come along. */
export type Judgement =
  | { readonly kind: "keep"; readonly parents: readonly string[] }
  /** It adds nothing to this parent (undefined: nothing came along at all). */
  | { readonly kind: "same-as"; readonly parent: string | undefined };

interface Kept {
  /** Grows in topological order; 0 for commits of earlier runs, which come before all others. */
  readonly order: number;
  readonly entries: string;
  readonly parents: readonly string[];
}

/**
 * Decides which commits of a path-limited history stay, by git-filter-repo's rule: a commit that changes none of the
 * chosen paths goes; a merge loses parents that are ancestors of its other parents, and goes if that leaves it idle.
 */
export class Pruner {
  readonly #kept = new Map<string, Kept>();

  /**
   * @param entries what the commit has at each placement
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

  /** Whether a commit is remembered. */
  knows(name: string): boolean {
    return this.#kept.has(name);
  }

  /** Remembers a commit that stays, under the name its children will use. */
  keep(
    name: string,
    entries: readonly (TreeEntry | undefined)[],
    parents: readonly string[],
  ): void {
    if (this.#kept.has(name)) return;
    const order = this.#kept.size + 1;
    this.#kept.set(name, { order, entries: keyOf(entries), parents });
  }

  /** Remembers a commit of an earlier run. */
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
