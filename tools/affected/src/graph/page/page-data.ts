/** What the page is given: names are told once, edges by the places of their packages in `nodes`. */
export interface PageData {
  readonly title: string;
  /** What a node is, in the plural; packages unless it says otherwise. */
  readonly nouns?: string;
  readonly base?: string;
  readonly head?: string;
  readonly nodes: readonly PageNode[];
  readonly kinds: readonly string[];
  /** The first depends on the second; the third is the place of its kind in `kinds`; a fourth says that only tests do. */
  readonly edges: readonly (readonly [
    from: number,
    to: number,
    kind: number,
    testOnly?: 1,
  ])[];
}

export interface PageNode {
  readonly name: string;
  readonly dir: string;
  readonly affected: boolean;
  /** A file of its own changed; it is affected too. */
  readonly changed?: true;
  readonly reasons: readonly string[];
  readonly tags: readonly string[];
  readonly owners: readonly string[];
}
