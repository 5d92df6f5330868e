import type { EdgeKind } from "@skein/workspaces";

/** A package as a graph shows it. */
export interface GraphNode {
  readonly name: string;
  /** Folder from the project's root. */
  readonly dir: string;
  readonly affected: boolean;
  /** A file of its own changed; it is affected too. */
  readonly changed?: true;
  /** Why it is affected, a sentence each; empty where it is not. */
  readonly reasons: readonly string[];
  readonly tags: readonly string[];
  readonly owners: readonly string[];
}

/** `from` depends on `to`. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: EdgeKind;
  /** Only tests of `from` use `to`: those who depend on `from` do not depend on `to` by this. */
  readonly testOnly?: true;
}

/** What `affected graph` shows, in whatever format. Every text in it is untrusted. */
export interface GraphView {
  readonly title: string;
  /** What a node is, in the plural; packages unless it says otherwise. */
  readonly nouns?: string;
  /** What the packages are compared with, and what was compared, where a change is shown. */
  readonly base?: string;
  readonly head?: string;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}
