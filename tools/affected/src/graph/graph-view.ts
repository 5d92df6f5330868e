import type { EdgeKind } from "@skein/workspaces";
import type { PageNode } from "./page/page-data.js";

/** A package in a graph. */
export type GraphNode = PageNode;

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
