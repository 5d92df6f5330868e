export type {
  DependencyField,
  Edge,
  EdgeKind,
  Workspace,
  WorkspaceGraph,
} from "./graph.js";
