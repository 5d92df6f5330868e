import type { EdgeKind } from "../graph.js";
import { DEPENDENCY_FIELDS } from "../manifest/manifest.js";
import type { PackageFacts, Project } from "../project.js";
import { writeColumns } from "./columns.js";

/**
 * The version of cached projects. Increase it if the same files result in other edges, or the columns change. Projects
 * of other versions are not used.
 */
export const KEPT_VERSION = 10;

export const KINDS: readonly EdgeKind[] = [
  ...DEPENDENCY_FIELDS,
  "implicit",
  "source",
  "optionalPeer",
];
/** Added to the index of a field for an optional peer. */
export const OPTIONAL = 8;

/**
 * Encodes the packages and edges of a project, so that later runs need not read yarn.lock and draw them again.
 * @param rootText the root's package.json, which is stored completely
 * @returns undefined for a project that cannot be cached
 */
export function keepProject(
  { packages, graph, pathTargets, namedByExternals, unmatchedGlobs }: Project,
  rootText: string,
): Buffer | undefined {
  const strings = new Map<string, number>();
  const number = (string: string) => {
    const known = strings.get(string) ?? strings.size;
    strings.set(string, known);
    return known;
  };
  number(rootText);
  const places = new Map(packages.map(({ name }, place) => [name, place]));
  const place = (name: string) => places.get(name) ?? 0;
  const { edges } = graph;
  const edgeTo = Uint32Array.from(edges, ({ to }) => place(to));
  const named = [...namedByExternals].flatMap(([workspace, names]) =>
    [...names].map((name) => [workspace, name] as const),
  );
  const numbers = {
    packageName: Uint32Array.from(packages, ({ name }) => number(name)),
    packageDir: Uint32Array.from(packages, ({ dir }) => number(dir)),
    ...dependencyColumns(packages, number),
    edgeFrom: Uint32Array.from(edges, ({ from }) => place(from)),
    edgeTo,
    edgeKind: Uint32Array.from(edges, ({ kind }) => KINDS.indexOf(kind)),
    edgeEvidence: Uint32Array.from(edges, ({ evidence }) => number(evidence)),
    ...groupEdges(edgeTo, packages.length),
    targetWorkspace: Uint32Array.from(pathTargets, ({ workspace }) =>
      number(workspace),
    ),
    targetPath: Uint32Array.from(pathTargets, ({ path }) => number(path)),
    targetEvidence: Uint32Array.from(pathTargets, ({ evidence }) =>
      number(evidence),
    ),
    unmatchedGlob: Uint32Array.from(unmatchedGlobs, number),
    namingWorkspace: Uint32Array.from(named, ([workspace]) =>
      number(workspace),
    ),
    namedName: Uint32Array.from(named, ([, name]) => number(name)),
  };
  return writeColumns({ strings: [...strings.keys()], numbers });
}

function dependencyColumns(
  packages: readonly PackageFacts[],
  number: (string: string) => number,
) {
  const all = packages.flatMap(({ dependencies }) => dependencies);
  const packageDependencies = new Uint32Array(packages.length + 1);
  packages.forEach(({ dependencies }, index) => {
    packageDependencies[index + 1] =
      (packageDependencies[index] ?? 0) + dependencies.length;
  });
  return {
    packageDependencies,
    dependencyIdent: Uint32Array.from(all, ({ ident }) => number(ident)),
    dependencyRange: Uint32Array.from(all, ({ range }) => number(range)),
    dependencyField: Uint32Array.from(
      all,
      ({ field, isOptional }) =>
        DEPENDENCY_FIELDS.indexOf(field) + (isOptional ? OPTIONAL : 0),
    ),
  };
}

/** Sorts edges by their targets with a counting sort. */
function groupEdges(edgeTo: Uint32Array, packages: number) {
  const packageEdges = new Uint32Array(packages + 1);
  for (const to of edgeTo)
    packageEdges[to + 1] = (packageEdges[to + 1] ?? 0) + 1;
  for (let i = 1; i < packageEdges.length; i++)
    packageEdges[i] = (packageEdges[i] ?? 0) + (packageEdges[i - 1] ?? 0);
  const next = packageEdges.slice();
  const edgesByTarget = new Uint32Array(edgeTo.length);
  edgeTo.forEach((to, edge) => {
    const at = next[to] ?? 0;
    edgesByTarget[at] = edge;
    next[to] = at + 1;
  });
  return { packageEdges, edgesByTarget };
}
