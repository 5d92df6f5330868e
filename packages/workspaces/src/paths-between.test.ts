import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Edge, EdgeKind } from "./graph.js";
import { allPaths, shortestPath, type AllPaths } from "./paths-between.js";
import { toyGraph } from "./query/toy-graph.test.support.js";

type Pair = readonly [from: string, to: string, kind?: EdgeKind];

function graphOf(edges: readonly Pair[]) {
  const names = ["root", ...new Set(edges.flatMap(([from, to]) => [from, to]))];
  return toyGraph(Object.fromEntries(names.map((name) => [name, name])), edges);
}

const diamond = graphOf([
  ["app", "ui", "devDependencies"],
  ["app", "ui"],
  ["app", "api"],
  ["ui", "core"],
  ["api", "core"],
  ["shop", "app"],
  ["core", "shop", "devDependencies"],
]);

test("the shortest path, with the edge of each step", () => {
  expect(shortestPath(diamond, ["core"], "app")).toEqual({
    packages: ["core", "api", "app"],
    edges: [
      {
        from: "api",
        to: "core",
        kind: "dependencies",
        evidence: "core@workspace:^",
      },
      {
        from: "app",
        to: "api",
        kind: "dependencies",
        evidence: "api@workspace:^",
      },
    ],
  });
  expect(shortestPath(diamond, ["core", "ui"], "app")?.packages).toEqual([
    "ui",
    "app",
  ]);
  expect(shortestPath(diamond, ["ui"], "app")?.edges[0]?.kind).toBe(
    "dependencies",
  );
  expect(shortestPath(diamond, ["app", "core"], "app")).toEqual({
    packages: ["app"],
    edges: [],
  });
  expect(shortestPath(diamond, ["root"], "app")).toBeUndefined();
  expect(shortestPath(diamond, [], "app")).toBeUndefined();
});

test("all paths, shortest first, through other seeds too", () => {
  expect(allPaths(diamond, ["ui", "core"], "app")).toMatchObject({
    paths: [
      { packages: ["ui", "app"] },
      { packages: ["core", "api", "app"] },
      { packages: ["core", "ui", "app"] },
    ],
    complete: true,
  });
  expect(allPaths(diamond, ["root"], "app")).toEqual({
    paths: [],
    complete: true,
  });
});

test("of equal length, the path with the fewest undeclared edges", () => {
  const graph = graphOf([
    ["app", "api", "source"],
    ["app", "ui"],
    ["api", "core"],
    ["ui", "core", "devDependencies"],
    ["app", "zoo"],
    ["zoo", "core", "source"],
    ["far", "core"],
    ["further", "far"],
    ["app", "further"],
  ]);
  const names = (paths: AllPaths["paths"]) =>
    paths.map(({ packages }) => packages.join(" "));
  const { paths } = allPaths(graph, ["core"], "app");
  expect(names(paths)).toEqual([
    "core ui app",
    "core api app",
    "core zoo app",
    "core far further app",
  ]);
  expect(shortestPath(graph, ["core"], "app")).toEqual(paths[0]);
  const nearer = shortestPath(graph, ["api", "ui"], "app");
  expect(nearer?.packages).toEqual(["ui", "app"]);
});

test("a cap ends the search, and the result is marked as incomplete", () => {
  expect(allPaths(diamond, ["core"], "app", { cap: 1 })).toMatchObject({
    paths: [{ packages: ["core", "api", "app"] }],
    complete: false,
  });
  expect(allPaths(diamond, ["core"], "app", { cap: 2 }).complete).toBe(true);
  const rungs = Array.from({ length: 40 }, (_, index): Pair[] =>
    ["a", "b"].flatMap((to) =>
      ["a", "b"].map((from): Pair => [`${from}${index + 1}`, `${to}${index}`]),
    ),
  ).flat();
  const ladder = graphOf(rungs);
  const { paths, complete } = allPaths(ladder, ["a0"], "a40");
  expect([paths.length, complete]).toEqual([100, false]);
  expect(
    allPaths(ladder, ["a0"], "a40", { cap: Infinity, steps: 1000 }).complete,
  ).toBe(false);
});

test("long chains are walked without recursion", () => {
  const chain = Array.from({ length: 20_000 }, (_, index): Pair => [
    `p${index + 1}`,
    `p${index}`,
  ]);
  const edges = chain.map(([from, to]): Edge => ({
    from,
    to,
    kind: "dependencies",
    evidence: "",
  }));
  const byTo = new Map(edges.map((edge) => [edge.to, [edge]]));
  const byFrom = new Map(edges.map((edge) => [edge.from, [edge]]));
  const lookup = {
    dependentsOf: (name: string) => byTo.get(name) ?? [],
    dependenciesOf: (name: string) => byFrom.get(name) ?? [],
  };
  expect(shortestPath(lookup, ["p0"], "p20000")?.edges).toHaveLength(20_000);
  expect(allPaths(lookup, ["p0"], "p20000").paths[0]?.edges).toHaveLength(
    20_000,
  );
});

const name = fc.constantFrom("a", "b", "c", "d", "e", "f");
const kind = fc.constantFrom<EdgeKind>("dependencies", "source");
const edges = fc.uniqueArray(fc.tuple(name, name, kind), {
  selector: ([from, to]) => from + to,
  maxLength: 14,
});

/** Computes the result by its definition, with an exhaustive search. */
function bySearch(
  pairs: readonly Pair[],
  seeds: readonly string[],
  target: string,
): string[] {
  const found: { readonly names: string; readonly undeclared: number }[] = [];
  const visit = (path: string[], undeclared: number) => {
    const last = path.at(-1) ?? "";
    if (last === target) found.push({ names: path.join(""), undeclared });
    else
      for (const [from, to, each] of pairs)
        if (to === last && !path.includes(from))
          visit([...path, from], undeclared + (each === "source" ? 1 : 0));
  };
  for (const seed of new Set(seeds)) visit([seed], 0);
  return found
    .sort(
      (a, b) =>
        a.names.length - b.names.length ||
        a.undeclared - b.undeclared ||
        (a.names < b.names ? -1 : 1),
    )
    .map(({ names }) => names);
}

test("both return the same as an exhaustive search, in any order of the edges", () => {
  fc.assert(
    fc.property(
      edges,
      fc.array(name, { maxLength: 3 }),
      name,
      (pairs, seeds, target) => {
        const expected = bySearch(pairs, seeds, target);
        const graph = graphOf([...pairs].reverse());
        const { paths, complete } = allPaths(graph, seeds, target, {
          cap: Infinity,
        });
        expect(paths.map(({ packages }) => packages.join(""))).toEqual(
          expected,
        );
        expect(complete).toBe(true);
        const shortest = shortestPath(graph, seeds, target);
        expect(shortest?.packages.join("")).toBe(expected[0]);
        shortest?.edges.forEach(({ from, to }, index) => {
          expect([to, from]).toEqual(shortest.packages.slice(index, index + 2));
        });
      },
    ),
  );
});
