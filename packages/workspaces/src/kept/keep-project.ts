import type { DependencyField, EdgeKind } from "../graph.js";
import type { PackageFacts, Project } from "../project.js";
import { writeColumns } from "./columns.js";

/**
 * The version of cached projects. Increase it if the same files result in other edges, or the columns change. Projects
 * of other versions are not used.
 */
export const KEPT_VERSION = 5;

/** The fields by their indices in the cached columns. Add new ones at the end. */
export const FIELDS: readonly DependencyField[] = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];
export const KINDS: readonly EdgeKind[] = [
  ...FIELDS,
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
  const { starts, dependencies } = dependencyColumns(packages, number);
  const numbers = [
    Uint32Array.from(packages, ({ name }) => number(name)),
    Uint32Array.from(packages, ({ dir }) => number(dir)),
    starts,
    dependencies,
    Uint32Array.from(
      graph.edges.flatMap(({ from, to, kind, evidence }) => [
        place(from),
        place(to),
        KINDS.indexOf(kind),
        number(evidence),
      ]),
    ),
    Uint32Array.from(
      pathTargets.flatMap(({ workspace, path, evidence }) =>
        [workspace, path, evidence].map(number),
      ),
    ),
    Uint32Array.from(unmatchedGlobs, number),
    Uint32Array.from(
      [...namedByExternals].flatMap(([workspace, names]) =>
        [...names].flatMap((name) => [number(workspace), number(name)]),
      ),
    ),
  ];
  const byTarget = groupEdges(numbers[4] ?? new Uint32Array(), packages.length);
  return writeColumns({
    strings: [...strings.keys()],
    numbers: [...numbers, ...byTarget],
  });
}

/** Returns three numbers per dependency, and the index of each package's first. */
function dependencyColumns(
  packages: readonly PackageFacts[],
  number: (string: string) => number,
) {
  const starts = new Uint32Array(packages.length + 1);
  const dependencies: number[] = [];
  packages.forEach((facts, index) => {
    for (const { ident, range, field, isOptional } of facts.dependencies)
      dependencies.push(
        number(ident),
        number(range),
        FIELDS.indexOf(field) + (isOptional ? OPTIONAL : 0),
      );
    starts[index + 1] = dependencies.length;
  });
  return { starts, dependencies: Uint32Array.from(dependencies) };
}

/**
 * Sorts edges by their targets with a counting sort. It returns the index of each package's first edge, and the edges'
 * indices.
 */
function groupEdges(edges: Uint32Array, packages: number): Uint32Array[] {
  const starts = new Uint32Array(packages + 1);
  const count = edges.length / 4;
  const target = (edge: number) => edges[edge * 4 + 1] ?? 0;
  for (let edge = 0; edge < count; edge++)
    starts[target(edge) + 1] = (starts[target(edge) + 1] ?? 0) + 1;
  for (let i = 1; i < starts.length; i++)
    starts[i] = (starts[i] ?? 0) + (starts[i - 1] ?? 0);
  const next = starts.slice();
  const places = new Uint32Array(count);
  for (let edge = 0; edge < count; edge++) {
    const at = next[target(edge)] ?? 0;
    places[at] = edge;
    next[target(edge)] = at + 1;
  }
  return [starts, places];
}
