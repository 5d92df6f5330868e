import { expect, test } from "@jest/globals";
import { checksIn } from "./ci.js";
import { reanchor } from "./codeowners.js";

test.each([
  ["* @a", "/packages/lib/ @a"],
  ["/src/ @a @b", "/packages/lib/src/ @a @b"],
  ["*.css @a", "/packages/lib/**/*.css @a"],
  ["docs/ @a", "/packages/lib/**/docs/ @a"],
  ["docs/*.md @a", "/packages/lib/docs/*.md @a"],
  ["**/x @a", "/packages/lib/**/x @a"],
  ["/a\\ b @a", "/packages/lib/a\\ b @a"],
  ["# words", "# words"],
  ["[Section] @a", "[Section] @a"],
  ["*.js", "/packages/lib/**/*.js"],
])("owners of %s below a package: %s", (line, expected) => {
  expect(reanchor(line, "packages/lib")).toBe(expected);
});

test("commands of CI files, each once", () => {
  expect(
    checksIn(
      "jobs:\n  a:\n    steps:\n      - uses: actions/setup-node@v4\n      - run: npm test\n  b:\n    steps:\n      - uses: x/y@v1\n      - run: |\n          # why\n          npm test\n          npm run lint\n",
    ),
  ).toEqual(["npm test", "uses x/y@v1", "npm run lint"]);
  expect(checksIn("script:\n  - make\n  - make check\n")).toEqual([
    "make",
    "make check",
  ]);
  expect(checksIn("a: b: c")).toEqual([]);
});
