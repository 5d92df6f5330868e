import type { FoundEdges, ReferenceGraph } from "../../graph.js";

/**
 * Returns a graph with known edges, in which no workspace is missing. The graph itself is opened only for other
 * questions.
 */
export function withEdges(
  edges: FoundEdges,
  open: () => ReferenceGraph,
): ReferenceGraph {
  let opened: ReferenceGraph | undefined;
  const graph = () => (opened ??= open());
  return {
    crossings: (options) => graph().crossings(options),
    edges: () => edges,
    refersTo: (path) => graph().refersTo(path),
    importersOf: (path) => graph().importersOf(path),
    isAside: (path) => graph().isAside(path),
    usersElsewhere: (path) => graph().usersElsewhere(path),
    isAsideUse: (reference, path) => graph().isAsideUse(reference, path),
    isApart: (file, kind) => graph().isApart(file, kind),
    undeclaredImportersOf: (name) => graph().undeclaredImportersOf(name),
    scriptsOf: (workspace) => graph().scriptsOf(workspace),
    checkAround: (reference) => graph().checkAround(reference),
    callersOf: (script) => graph().callersOf(script),
    ownerOfBin: (program) => graph().ownerOfBin(program),
    referencesToExternal: (external) => graph().referencesToExternal(external),
    pathsIn: (file) => graph().pathsIn(file),
    listsFiles: (tsconfig) => graph().listsFiles(tsconfig),
    variables: () => graph().variables(),
    languageUsersOf: (programs, endings) =>
      graph().languageUsersOf(programs, endings),
    isClosed: (path) => graph().isClosed(path),
    get unparsed() {
      return graph().unparsed;
    },
    unlisted: [],
    unreadable: [],
  };
}
