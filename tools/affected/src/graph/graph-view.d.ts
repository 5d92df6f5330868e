import type { EdgeKind } from "@skein/workspaces";
/** A package in a graph. */
export interface GraphNode {
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
/** A dependency: `from` depends on `to`. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** Whether only tests of `from` use `to`. Then dependents of `from` don't depend on `to` by this edge. */
  readonly testOnly?: true;
}
/** The content of `affected graph`, in any format. All text in it is untrusted. */
export interface GraphView {
  readonly title: string;
  /** The word for nodes, in the plural; "packages" if undefined. */
  readonly nouns?: string;
  /** The two ends of the comparison, if the graph shows a change. */
  readonly base?: string;
  readonly head?: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
