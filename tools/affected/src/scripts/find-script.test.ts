import { expect, test } from "@jest/globals";
import { parseManifest } from "@skein/workspaces";
import { scriptFailure } from "./find-script.js";

type Scripts = Readonly<Record<string, string>>;

function packagesOf(scripts: Readonly<Record<string, Scripts>>) {
  return Object.entries(scripts).map(([name, each]) => ({
    name,
    dir: name === "root" ? "." : name,
    dependencies: [],
    manifest: parseManifest(
      JSON.stringify({ name, scripts: each }),
      "package.json",
    ),
  }));
}

const JEST = { root: { test: "jest", ci: "make test" }, a: {}, b: {} };
const ROOTS = 'only the root has a script called "test"';
const IF_PRESENT = "with --if-present, this is not an error";

test.each<
  [
    scripts: Readonly<Record<string, Scripts>>,
    asked: string,
    sentence: string | undefined,
    hint: string | undefined,
  ]
>([
  [{ a: { test: "x" }, b: {} }, "test: a b", undefined, undefined],
  [{ a: { test: "x" }, b: {} }, "test:", undefined, undefined],
  [JEST, "test:", ROOTS, `with --include-root, it runs; ${IF_PRESENT}`],
  [JEST, "test: a b", ROOTS, `with --include-root, it runs; ${IF_PRESENT}`],
  [{ ...JEST, c: { test: "x" } }, "test:", undefined, undefined],
  [
    { ...JEST, c: { test: "x" } },
    "test: a b",
    'none of the 2 selected packages has a script called "test"',
    `the root has \`yarn test\` (jest), \`yarn ci\` (make test); ${IF_PRESENT}`,
  ],
  [
    { root: { test: "affected test" }, a: {}, b: { test: "x" } },
    "test: a",
    'the selected package a has no script called "test"',
    IF_PRESENT,
  ],
  [
    {
      root: { latest: "x", "run-tests": "x", "e2e:test": "y", "test:a": "z" },
      a: { "test:unit": "jest" },
      b: { test: "x" },
    },
    "test: a",
    'the selected package a has no script called "test"',
    `these packages have test:unit; the root has \`yarn e2e:test\` (y), \`yarn test:a\` (z); ${IF_PRESENT}`,
  ],
  [
    { a: { tset: "x" } },
    "tests: a",
    'no package has a script called "tests"',
    "`affected --help` shows every command",
  ],
  [
    { a: { test: "x" } },
    "tets: a",
    'no package has a script called "tets"',
    "did you mean `affected test`?",
  ],
  [
    { root: { all: "nx run-many -t verify" }, a: {} },
    "verify: a",
    'no package has a script called "verify"',
    "the root has `yarn all` (nx run-many -t verify); `affected --help` shows every command",
  ],
])("%j, %s", (scripts, asked, sentence, hint) => {
  const [script = "", names = ""] = asked.split(":");
  const failure = scriptFailure({
    script,
    packages: packagesOf(scripts),
    selected: names.split(" ").filter(Boolean),
    includeRoot: false,
    verbs: ["list", "why"],
  });
  expect([failure?.message, failure?.hint]).toEqual([sentence, hint]);
});

test("the root's own script counts if it would run", () => {
  const packages = packagesOf(JEST);
  const search = { script: "test", packages, selected: ["root"], verbs: [] };
  expect(scriptFailure({ ...search, includeRoot: true })).toBeUndefined();
});
