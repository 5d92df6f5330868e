import { expect, test } from "@jest/globals";
import {
  isFound,
  roleIn,
  summaryOf,
  surroundingsOf,
  waysAsText,
} from "./describe.js";
import { neighboursOf } from "./reach.js";

const node = (name: string, affected = false) => ({
  name,
  dir: `packages/${name}`,
  affected,
  reasons: [],
  tags: name === "b" ? ["App"] : [],
  owners: ["@acme/Web"],
});
const nodes = ["a", "b", "c", "d"].map((name) => node(name, name === "a"));
const edges = [
  [1, 0, 0],
  [2, 1, 0],
] as const;
const data = { title: "", nodes, edges, kinds: ["dependencies"] };

test.each([
  [data, "4 packages, 2 edges; 1 affected"],
  [
    { ...data, base: "main" },
    "4 packages, 2 edges; 1 affected by the changes from main to the working tree",
  ],
  [
    { ...data, base: "main", head: "HEAD (1f) with the working tree" },
    "4 packages, 2 edges; 1 affected by the changes from main to the working tree",
  ],
  [
    { ...data, base: "a", head: "b" },
    "4 packages, 2 edges; 1 affected by the changes from a to b",
  ],
  [{ ...data, nodes: [node("x")], edges: [] }, "1 package, 0 edges"],
])("summary %#", (page, expected) => {
  expect(summaryOf(page)).toBe(expected);
});

test.each([
  ["", true],
  ["B", true],
  ["packages/b", true],
  ["app web", true],
  ["app other", false],
])("the search %j finds b: %s", (search, found) => {
  expect(isFound(node("b"), search)).toBe(found);
});

test("roles and ways around a package", () => {
  const around = surroundingsOf(1, neighboursOf(data));
  expect([0, 1, 2, 3].map((place) => roleIn(place, 1, around))).toEqual([
    "dependency",
    "selected",
    "dependent",
    "other",
  ]);
  const cyclic = surroundingsOf(
    0,
    neighboursOf({ nodes, edges: [...edges, [0, 2, 0]] }),
  );
  expect(roleIn(1, 0, cyclic)).toBe("both");
  expect(waysAsText(cyclic.dependents, nodes)).toEqual([
    { place: 1, way: "a → b" },
    { place: 2, way: "a → b → c" },
  ]);
});

test("ways don't continue beyond an edge that only tests use", () => {
  // c depends on b. Only tests of b use a, and only tests of a use d.
  const around = (place: number) => {
    const { dependents, dependencies } = surroundingsOf(
      place,
      neighboursOf({
        nodes,
        edges: [
          [2, 1, 0],
          [1, 0, 0, 1],
          [0, 3, 0, 1],
        ],
      }),
    );
    const ways = (reached: ReadonlyMap<number, number>) =>
      waysAsText(reached, nodes).map(({ way }) => way);
    return [ways(dependents), ways(dependencies)];
  };
  expect(around(0)).toEqual([["a → b"], ["a → d"]]);
  expect(around(1)).toEqual([["b → c"], ["b → a"]]);
  expect(around(2)).toEqual([[], ["c → b"]]);
  expect(around(3)).toEqual([["d → a"], []]);
});
