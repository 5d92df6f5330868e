import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { components } from "./components.js";
import { digest } from "./digest.js";
import { entriesOf, firstDifference } from "./explain.js";
import type { Fact, FactEdge, TreeFacts } from "./fact.js";
import { FIELDS, hashTree, openFinisher } from "./fingerprint.js";

test("different lists of words have different digests", () => {
  expect(digest(["a", "bc"])).not.toBe(digest(["ab", "c"]));
  expect(digest(["1:a"])).not.toBe(digest(["", "a"]));
  expect(digest(["é"])).not.toBe(digest(["e\u0301"]));
});

const NAMES = ["a", "b", "c", "d", "e"];
const edge: fc.Arbitrary<FactEdge> = fc.record(
  {
    from: fc.constantFrom(...NAMES),
    to: fc.constantFrom(...NAMES),
    testOnly: fc.boolean(),
    onward: fc.subarray(NAMES),
  },
  { requiredKeys: ["from", "to"] },
);
const file = (name: string, state: string | undefined): Fact => ({
  kind: "file",
  name,
  state,
});

/**
 * Returns the packages that a walk along the edges reaches. An edge of tests counts only as the first step. After an edge with
 * `onward`, only edges to these packages count.
 */
function reached(name: string, edges: TreeFacts["edges"]): Set<string> {
  const taken = new Set<FactEdge>();
  const walk = (edge: FactEdge) => {
    if (taken.has(edge)) return;
    taken.add(edge);
    for (const next of edges)
      if (
        next.from === edge.to &&
        !next.testOnly &&
        (edge.onward?.includes(next.to) ?? true)
      )
        walk(next);
  };
  edges.filter(({ from }) => from === name).forEach(walk);
  return new Set([...taken].map(({ to }) => to));
}

function treeOf(
  edges: TreeFacts["edges"],
  states: Readonly<Record<string, string | undefined>>,
): TreeFacts {
  return {
    everything: [],
    packages: new Map(
      NAMES.map((name) => [
        name,
        {
          own: [file(`${name}.test`, states[`${name}.test`] ?? "0")],
          spreading: [
            file(name, name in states ? states[name] : "0"),
            { kind: "variable", name: name.toUpperCase(), state: "" },
          ],
        },
      ]),
    ),
    edges,
  };
}

test("a file counts for its package, and for all dependents if it spreads, including cycles and tests", () => {
  fc.assert(
    fc.property(
      fc.array(edge, { maxLength: 10 }),
      fc.constantFrom(...NAMES),
      (edges, changed) => {
        const before = hashTree(treeOf(edges, {}));
        const differing = (now: TreeFacts) => {
          const after = hashTree(now);
          return NAMES.filter(
            (name) =>
              JSON.stringify(before.get(name)) !==
              JSON.stringify(after.get(name)),
          );
        };
        const users = NAMES.filter(
          (name) => name === changed || reached(name, edges).has(changed),
        );
        expect(differing(treeOf(edges, { [changed]: "1" }))).toEqual(users);
        expect(differing(treeOf(edges, { [`${changed}.test`]: "1" }))).toEqual([
          changed,
        ]);
        // If the content of a file is unknown, there is no fingerprint.
        const unknown = hashTree(treeOf(edges, { [changed]: undefined }));
        expect(NAMES.filter((name) => !unknown.has(name))).toEqual(users);
        for (const name of NAMES)
          expect(before.get(name)?.variables).toEqual(
            NAMES.filter(
              (each) => each === name || reached(name, edges).has(each),
            ).map((each) => each.toUpperCase()),
          );
      },
    ),
    { numRuns: 300 },
  );
});

test("each component follows the components that it leads to, and each node occurs once", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), {
        minLength: 8,
        maxLength: 8,
      }),
      (graph) => {
        const found = components(8, (node) => graph[node] ?? []);
        expect(found.flat().toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
        const reach = (from: number) => {
          const seen = new Set([from]);
          for (const node of seen)
            for (const to of graph[node] ?? []) seen.add(to);
          return seen;
        };
        const place = (node: number) =>
          found.findIndex((members) => members.includes(node));
        for (let a = 0; a < 8; a++)
          for (const b of reach(a))
            if (reach(b).has(a)) expect(place(b)).toBe(place(a));
            else expect(place(b)).toBeLessThan(place(a));
      },
    ),
    { numRuns: 200 },
  );
});

const around = {
  runtime: { node: "v20" },
  env: {},
  names: [],
  ignored: new Set<string>(),
};

test("the script, its arguments and the surroundings are separate fields", () => {
  const tree = hashTree(treeOf([], {})).get("a");
  if (!tree) throw new Error("a has a fingerprint");
  const ask = (script: string, args: string[], more: object = {}) =>
    openFinisher({ script, args }, { ...around, ...more })("a", tree);
  const plain = ask("test", []);
  expect(plain.unit).toBe("a#test");
  expect(plain.fields.map(({ name }) => name)).toEqual([...FIELDS]);
  const differing = (other: typeof plain) => {
    expect(other.hex).not.toBe(plain.hex);
    return FIELDS.filter(
      (_, at) => other.fields[at]?.hex !== plain.fields[at]?.hex,
    );
  };
  expect(differing(ask("lint", []))).toEqual(["unit"]);
  expect(differing(ask("test", ["-u"]))).toEqual(["unit"]);
  expect(differing(ask("test", [], { runtime: {} }))).toEqual(["runtime"]);
  expect(differing(ask("test", [], { env: { A: "" } }))).toEqual(["variables"]);
});

test("an explanation contains every input, and names the first difference", () => {
  const edges = [{ from: "a", to: "b" }];
  const entries = (states: Record<string, string>, more = edges) =>
    entriesOf(treeOf(more, states), "a", { ...around, env: { A: "secret" } });
  expect(
    entries({}).flatMap(({ field, by = "", name, state = "" }) =>
      field === "variables" && name.length > 1
        ? []
        : [[field, by, name, state].join(" ").trim()],
    ),
  ).toEqual([
    "files  a 0",
    "files  a.test 0",
    "dependencies  b",
    "dependencies b b 0",
    "runtime  node v20",
    "variables  A set",
    "variables  B not set",
  ]);
  const first = (...other: Parameters<typeof entries>) => {
    const found = firstDifference(entries({}), entries(...other));
    return found && [found.entry.field, found.entry.name, found.change];
  };
  expect(first({})).toBeUndefined();
  expect(first({ a: "1", b: "1" })).toEqual(["files", "a", "changed"]);
  expect(first({ b: "1" })).toEqual(["dependencies", "b", "changed"]);
  expect(first({}, [])).toEqual(["dependencies", "b", "gone"]);
  expect(first({}, [...edges, { from: "b", to: "c" }])).toEqual([
    "dependencies",
    "c",
    "added",
  ]);
});

test("of a package whose files are read one by one, an explanation contains those that are read", () => {
  const spreading = ["b/x", "b/deep/y", "b/z"].map((stem) => ({
    ...file(`${stem}.js`, "0"),
    stem,
  }));
  const tree: TreeFacts = {
    everything: [],
    packages: new Map([
      ["a", { own: [], spreading: [] }],
      ["b", { own: [], spreading: [...spreading, file("b/.rc", "0")] }],
    ]),
    edges: [{ from: "a", to: "b", reads: ["b/x", "b/deep/"] }],
  };
  expect(entriesOf(tree, "a", around).filter(({ by }) => by)).toEqual(
    ["b/.rc", "b/deep/y.js", "b/x.js"].map((name) => ({
      field: "dependencies",
      by: "b",
      ...file(name, "0"),
    })),
  );
});
