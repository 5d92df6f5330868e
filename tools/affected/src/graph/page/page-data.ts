/** The input of the page. It contains each name once; edges refer to packages by their places in `nodes`. */
export interface PageData {
  readonly title: string;
  /** The word for nodes, in the plural; "packages" if undefined. */
  readonly nouns?: string;
  readonly base?: string;
  readonly head?: string;
  readonly nodes: readonly PageNode[];
  readonly kinds: readonly string[];
  /**
   * The first depends on the second; the third is the place of the edge's kind in `kinds`; a fourth means that only
   * tests use the dependency.
   */
  readonly edges: readonly (readonly [
    from: number,
    to: number,
    kind: number,
    testOnly?: 1,
  ])[];
}

/** A package in a graph. */
export interface PageNode {
  readonly name: string;
  /** The folder, relative to the project's root. */
  readonly dir: string;
  readonly affected: boolean;
  /** Whether one of its own files changed. Then it is affected too. */
  readonly changed?: true;
  /** Why it is affected, one sentence per reason; empty if it isn't. */
  readonly reasons: readonly string[];
  readonly tags: readonly string[];
  readonly owners: readonly string[];
}
