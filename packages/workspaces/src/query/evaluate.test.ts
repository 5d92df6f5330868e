import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { evaluateQuery, type QueryContext } from "./evaluate.js";
import { parseQuery } from "./parse.js";
import { toyGraph } from "./toy-graph.test.support.js";

const names = [
  "root",
  "@acme/ui",
  "@acme/web",
  "@acme/api",
  "core",
  "loop-a",
  "loop-b",
];
const graph = toyGraph(
  {
    root: ".",
    "@acme/ui": "packages/ui",
    "@acme/web": "apps/(shop)/web",
    "@acme/api": "apps/api",
    core: "packages/core",
    "loop-a": "packages/.loop/a",
    "loop-b": "packages/.loop/b",
  },
  [
    ["@acme/ui", "core"],
    ["@acme/web", "@acme/ui"],
    ["@acme/web", "core", "devDependencies"],
    ["@acme/api", "core"],
    ["loop-a", "loop-b"],
    ["loop-b", "loop-a"],
  ],
);
const context: QueryContext = {
  affected: new Set(["core", "@acme/api"]),
  ownersOf: (name) => (name.startsWith("@acme") ? ["@Acme/Web", "@ada"] : []),
  tagsOf: (name) =>
    name === "@acme/web" ? ["app"] : name === "core" ? ["lib"] : [],
};

function answer(text: string) {
  const parsed = parseQuery(text);
  if (!parsed.ok) throw new Error(parsed.problem.kind);
  return evaluateQuery(parsed.query, graph, context);
}
const selected = (text: string) => [...answer(text).selected];

test.each([
  ["core", ["core"]],
  ["@acme/*", ["@acme/ui", "@acme/web", "@acme/api"]],
  ["@acme/{ui,web}", ["@acme/ui", "@acme/web"]],
  ["*", names],
  ["**", names],
  ["w*", ["@acme/web"]],
  ["*/*", ["@acme/ui", "@acme/web", "@acme/api"]],
  [".", ["root"]],
  ["./", ["root"]],
  ["./packages/ui/", ["@acme/ui"]],
  ["./packages/*", ["@acme/ui", "core"]],
  ["./packages/**", ["@acme/ui", "core", "loop-a", "loop-b"]],
  ["./packages/ui/**", ["@acme/ui"]],
  ["./**", names],
  ["'./apps/(shop)/**'", ["@acme/web"]],
  ["owner(@acme/web)", ["@acme/ui", "@acme/web", "@acme/api"]],
  ["owner(@acme/*)", ["@acme/ui", "@acme/web", "@acme/api"]],
  ["tag(app)", ["@acme/web"]],
  ["tag({app,lib})", ["@acme/web", "core"]],
  ["affected()", ["@acme/api", "core"]],
  ["dependents(core)", ["@acme/ui", "@acme/web", "@acme/api"]],
  ["dependents(@acme/ui)", ["@acme/web"]],
  ["dependents(core | @acme/ui)", ["@acme/ui", "@acme/web", "@acme/api"]],
  ["dependencies(@acme/web)", ["@acme/ui", "core"]],
  ["dependencies(@acme/api | @acme/ui, 1)", ["core"]],
  ["dependents(loop-a)", ["loop-a", "loop-b"]],
  ["dependents(loop-a, 1)", ["loop-b"]],
  ["dependencies(core)", []],
  ["@acme/* - dependents(@acme/ui) - @acme/api", ["@acme/ui"]],
  ["not @acme/*", ["root", "core", "loop-a", "loop-b"]],
  ["affected() & @acme/* | loop-a", ["@acme/api", "loop-a"]],
])("%s selects %j", (text, expected) => {
  expect(answer(text)).toEqual({
    selected: new Set(expected),
    problems: [],
  });
  expect(selected(text)).toEqual(expected);
});

test("a depth counts the fewest steps", () => {
  expect(selected("dependents(core, 1)")).toEqual([
    "@acme/ui",
    "@acme/web",
    "@acme/api",
  ]);
  expect(selected("dependencies(@acme/web, 1)")).toEqual(["@acme/ui", "core"]);
});

const noMatch = (
  what: string,
  text: string,
  meant: string[],
  start: number,
) => ({
  ...{ kind: "no-match", what, text, meant },
  at: { start, length: text.length },
});

test("an unknown package is a problem anywhere in the query, and similar names are suggested", () => {
  const { problems } = answer(
    "affected() & (@acme/iu | api) - ./packages/cor - packages/ui - affected",
  );
  expect(problems).toEqual([
    noMatch("name", "@acme/iu", ["@acme/ui"], 14),
    noMatch("name", "api", ["@acme/api"], 25),
    noMatch("folder", "./packages/cor", ["./packages/core"], 32),
    noMatch("name", "packages/ui", ["./packages/ui"], 49),
    noMatch("name", "affected", ["affected()"], 63),
  ]);
});

test("so is a glob, an owner or a tag that finds nothing", () => {
  const { problems } = answer(
    "packages/* | ./libs/* | @acm/* | w?b | @acme/wbe* - ./pakages/** - owner(@acme/wbe) - owner(@eve) - not tag(ap)",
  );
  expect(
    problems.map((problem) =>
      problem.kind === "no-match"
        ? [problem.what, problem.text, problem.meant]
        : problem,
    ),
  ).toEqual([
    ["glob", "packages/*", ["./packages/*"]],
    ["folder-glob", "./libs/*", []],
    ["glob", "@acm/*", ["@acme/*"]],
    ["glob", "@acme/wbe*", ["@acme/web", "@acme/*"]],
    ["folder-glob", "./pakages/**", ["./packages/*", "./packages/ui"]],
    ["owner", "@acme/wbe", ["@Acme/Web"]],
    ["owner", "@eve", []],
    ["tag", "ap", ["app"]],
  ]);
});

test("names that are names of JavaScript are only names", () => {
  for (const text of ["constructor", "__proto__", "toString"])
    expect(answer(text).problems).toMatchObject([
      { kind: "no-match", what: "name", text },
    ]);
  expect(parseQuery("constructor(a)")).toMatchObject({
    ok: false,
    problem: { kind: "unknown-function" },
  });
});

const atom = fc.constantFrom(
  ...names.map((name) => (name === "root" ? "." : name)),
  "@acme/*",
  "./packages/**",
  "affected()",
  "tag(app)",
  "owner(@ada)",
  "dependents(core)",
  "dependencies(@acme/web, 1)",
  "dependents(loop-a | @acme/ui)",
);
const { set } = fc.letrec<{ set: string }>((tie) => ({
  set: fc.oneof(
    { maxDepth: 3 },
    atom,
    fc
      .tuple(
        tie("set"),
        fc.constantFrom("|", "&", "-", "or", "and", "not"),
        tie("set"),
      )
      .map(([a, operator, b]) => `(${a} ${operator} ${b})`),
    tie("set").map((a) => `not ${a}`),
  ),
}));

test.each<[string, (a: string, b: string, c: string) => [string, string]]>([
  ["union commutes", (a, b) => [`${a} | ${b}`, `${b} | ${a}`]],
  ["intersection commutes", (a, b) => [`${a} & ${b}`, `${b} & ${a}`]],
  [
    "union associates",
    (a, b, c) => [`${a} | (${b} | ${c})`, `${a} | ${b} | ${c}`],
  ],
  [
    "intersection associates",
    (a, b, c) => [`${a} & (${b} & ${c})`, `${a} & ${b} & ${c}`],
  ],
  [
    "& distributes over |",
    (a, b, c) => [`${a} & (${b} | ${c})`, `${a} & ${b} | ${a} & ${c}`],
  ],
  [
    "| distributes over &",
    (a, b, c) => [`${a} | ${b} & ${c}`, `(${a} | ${b}) & (${a} | ${c})`],
  ],
  ["De Morgan, union", (a, b) => [`not (${a} | ${b})`, `not ${a} & not ${b}`]],
  [
    "De Morgan, intersection",
    (a, b) => [`not (${a} & ${b})`, `not ${a} | not ${b}`],
  ],
  [
    "difference is and not",
    (a, b, c) => [`${a} - ${b} & ${c}`, `${a} and not ${b} and ${c}`],
  ],
  ["twice not is nothing", (a) => [`not not ${a}`, a]],
  ["idempotence", (a) => [`${a} | ${a} & ${a}`, a]],
  ["absorption", (a, b) => [`${a} & (${a} | ${b})`, a]],
  ["without itself", (a) => [`${a} - ${a}`, "** - **"]],
  [
    "dependents of a union",
    (a, b) => [
      `dependents(${a} | ${b})`,
      `dependents(${a}) | dependents(${b})`,
    ],
  ],
  [
    "dependencies of a union, by depth",
    (a, b) => [
      `dependencies(${a} | ${b}, 1)`,
      `dependencies(${a}, 1) | dependencies(${b}, 1)`,
    ],
  ],
  [
    "steps add up",
    (a) => [
      `dependents(${a}, 2)`,
      `dependents(${a}, 1) | dependents(dependents(${a}, 1), 1)`,
    ],
  ],
])("%s", (_, law) => {
  fc.assert(
    fc.property(set, set, set, (a, b, c) => {
      const [left, right] = law(a, b, c);
      expect(selected(left)).toEqual(selected(right));
    }),
    { numRuns: 60 },
  );
});
