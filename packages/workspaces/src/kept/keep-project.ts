import type { DependencyField, EdgeKind } from "../graph.js";
import type { PackageFacts, Project } from "../project.js";
import { writeColumns } from "./columns.js";

/** Raise it whenever other edges come of the same files, or the columns change: what was kept before is not used then. */
export const KEPT_VERSION = 3;

/** By their places in the kept columns; add at the end. */
export const FIELDS: readonly DependencyField[] = [
  "dependencies",
  "devDependencies",
  "peerDependencies",
  "optionalDependencies",
];
export const KINDS: readonly EdgeKind[] = [...FIELDS, "implicit", "source"];

/**
 * Packages and edges of a project as bytes, so that another run need not read yarn.lock and draw them again.
 * @param rootText the root's package.json, which is kept whole
 * @returns undefined for a project that cannot be kept
 */
export function keepProject(
  { packages, graph, pathTargets, unmatchedGlobs }: Project,
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
  ];
  const byTarget = groupEdges(numbers[4] ?? new Uint32Array(), packages.length);
  return writeColumns({
    strings: [...strings.keys()],
    numbers: [...numbers, ...byTarget],
  });
}

/** Three numbers a dependency, and where each package's begin. */
function dependencyColumns(
  packages: readonly PackageFacts[],
  number: (string: string) => number,
) {
  const starts = new Uint32Array(packages.length + 1);
  const dependencies: number[] = [];
  packages.forEach((facts, index) => {
    for (const { ident, range, field } of facts.dependencies)
      dependencies.push(number(ident), number(range), FIELDS.indexOf(field));
    starts[index + 1] = dependencies.length;
  });
  return { starts, dependencies: Uint32Array.from(dependencies) };
}

/** A counting sort of the edges by what they lead to: where each package's begin, and the edges' places. */
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
