import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { planUnits, type PlanUnitsInput } from "./plan-units.js";

const all = { build: "tsc", test: "jest" };
const workspace = (name: string, scripts: Record<string, string> = all) => ({
  name,
  dir: `packages/${name}`,
  scripts,
});
const pipeline = { build: { dependsOn: ["^build"] }, test: ["build"] };

/**
 * Renders a plan as lines: `id <- what it waits for`, with `+` for units that the pipeline added and `?` for those
 * without a script.
 */
function lines(input: PlanUnitsInput): readonly string[] {
  const plan = planUnits(input);
  return [
    ...plan.units.map(
      ({ id, pulledIn, command, dependsOn }) =>
        `${pulledIn ? "+" : ""}${command === undefined ? "?" : ""}${id}${dependsOn.length > 0 ? ` <- ${dependsOn.join(" ")}` : ""}`,
    ),
    ...plan.broken.map(
      ({ from, to, cycle }) => `broken ${from} -> ${to} in ${cycle.join(" ")}`,
    ),
  ];
}

test.each<[string, PlanUnitsInput, readonly string[]]>([
  [
    "units wait for nothing without a pipeline",
    {
      workspaces: [workspace("a"), workspace("b")],
      edges: [{ from: "a", to: "b" }],
      scripts: ["test"],
    },
    ["a#test", "b#test"],
  ],
  [
    "the pipeline adds units that were not requested",
    {
      workspaces: [workspace("a"), workspace("b"), workspace("c")],
      edges: [{ from: "a", to: "b" }],
      selected: ["a"],
      scripts: ["test"],
      pipeline,
    },
    ["+b#build", "+a#build <- b#build", "a#test <- a#build"],
  ],
  [
    "in a cycle, a package waits for those that its manifest declares",
    {
      workspaces: ["a", "b", "c"].map((name) => workspace(name)),
      edges: [
        { from: "a", to: "c", kind: "source" },
        { from: "b", to: "a", kind: "dependencies" },
        { from: "c", to: "b", kind: "dependencies" },
        { from: "c", to: "a", kind: "source" },
        { from: "b", to: "a", kind: "source" },
      ],
      scripts: ["build"],
      pipeline,
    },
    [
      "a#build",
      "b#build <- a#build",
      "c#build <- a#build b#build",
      "broken a#build -> c#build in c#build b#build a#build",
    ],
  ],
  [
    "requested units don't count as added by the pipeline",
    {
      workspaces: [workspace("a"), workspace("b")],
      edges: [{ from: "a", to: "b" }],
      selected: ["a", "b"],
      scripts: ["test", "build"],
      pipeline,
    },
    ["b#build", "a#build <- b#build", "a#test <- a#build", "b#test <- b#build"],
  ],
  [
    "the order is transitive through a package without the script",
    {
      workspaces: [workspace("a"), workspace("b", {}), workspace("c")],
      edges: [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
      ],
      selected: ["a"],
      scripts: ["build"],
      pipeline,
    },
    ["+c#build", "+?b#build <- c#build", "a#build <- b#build"],
  ],
  [
    "a package's own script can be named",
    {
      workspaces: [workspace("a"), workspace("@m/gen", { gen: "x" })],
      edges: [],
      selected: ["a"],
      scripts: ["build"],
      pipeline: { build: ["@m/gen#gen", "nobody#gen"] },
    },
    ["+@m/gen#gen", "a#build <- @m/gen#gen"],
  ],
  [
    "an entry for one package replaces the entry of the script",
    {
      workspaces: [workspace("a"), workspace("@m/b"), workspace("c")],
      edges: [
        { from: "a", to: "@m/b" },
        { from: "@m/b", to: "c" },
      ],
      scripts: ["test"],
      pipeline: {
        ...pipeline,
        "@m/b#test": ["^build"],
        "c#test": { dependsOn: [] },
        "nobody#test": ["lint"],
      },
    },
    [
      "+c#build",
      "+@m/b#build <- c#build",
      "@m/b#test <- c#build",
      "+a#build <- @m/b#build",
      "a#test <- a#build",
      "c#test",
    ],
  ],
  [
    "a cycle of packages is broken at one named edge, and all units remain",
    {
      workspaces: [workspace("a"), workspace("b"), workspace("c")],
      edges: [
        { from: "a", to: "b" },
        { from: "b", to: "c" },
        { from: "c", to: "a" },
      ],
      scripts: ["build"],
      pipeline,
    },
    [
      "c#build",
      "b#build <- c#build",
      "a#build <- b#build",
      "broken c#build -> a#build in a#build b#build c#build",
    ],
  ],
  [
    "a script that waits for itself is a cycle of one",
    {
      workspaces: [workspace("a")],
      edges: [{ from: "a", to: "a" }],
      scripts: ["build"],
      pipeline: { build: ["build", "^build"] },
    },
    ["a#build", "broken a#build -> a#build in a#build"],
  ],
  [
    "names of properties that all objects have are neither scripts nor settings",
    {
      workspaces: [workspace("a", {})],
      edges: [],
      scripts: ["toString", "constructor"],
      pipeline: {},
    },
    ["?a#constructor", "?a#toString"],
  ],
])("%s", (_name, input, expected) => {
  expect(lines(input)).toEqual(expected);
});

test("a chain of 20,000 packages is planned", () => {
  const names = Array.from({ length: 20_000 }, (_, i) => `p${String(i)}`);
  const plan = planUnits({
    workspaces: names.map((name) => workspace(name)),
    edges: names.slice(1).map((to, i) => ({ from: names[i] ?? "", to })),
    selected: ["p0"],
    scripts: ["build"],
    pipeline,
  });
  expect(plan.units.length).toBe(20_000);
  expect(plan.units[0]?.id).toBe("p19999#build");
});

test("every unit follows the units that it waits for, and only broken edges are missing", () => {
  const names = ["a", "b", "c", "d", "e"];
  const edge = fc.record({
    from: fc.constantFrom(...names),
    to: fc.constantFrom(...names),
    kind: fc.constantFrom("source", "dependencies"),
  });
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 12 }), (edges) => {
      const { units, broken } = planUnits({
        workspaces: names.map((name) => workspace(name)),
        edges,
        scripts: ["build"],
        pipeline,
      });
      const seen = new Set<string>();
      for (const { id, dependsOn } of units) {
        for (const on of dependsOn) expect(seen).toContain(on);
        seen.add(id);
      }
      const kept = units.flatMap(({ id, dependsOn }) =>
        dependsOn.map((on) => `${id} ${on}`),
      );
      const asked = edges
        .filter(({ from, to }) => from !== to)
        .map(({ from, to }) => `${from}#build ${to}#build`);
      expect(
        [...kept, ...broken.map(({ from, to }) => `${from} ${to}`)].sort(),
      ).toEqual([...new Set(asked)].sort());
      const declared = edges
        .filter(({ kind }) => kind !== "source")
        .map(({ from, to }) => `${from}#build ${to}#build`);
      for (const { from, to, cycle } of broken) {
        const pairs = cycle.map((id, i) => `${id} ${cycle[i + 1] ?? to}`);
        const isDeclared = (pair: string) => declared.includes(pair);
        if (isDeclared(`${from} ${to}`))
          expect(pairs.filter((pair) => !isDeclared(pair))).toEqual([]);
        expect([cycle[0], cycle.at(-1)]).toEqual([to, from]);
        cycle.forEach((id, i) => {
          const next = cycle[i + 1];
          if (next !== undefined) expect(asked).toContain(`${id} ${next}`);
        });
      }
    }),
  );
});
