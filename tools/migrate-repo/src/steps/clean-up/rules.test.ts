import { expect, test } from "@jest/globals";
import { jobsIn } from "./ci.js";
import { reanchor } from "./git/codeowners.js";

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

test("jobs of CI files, and their commands, each once", () => {
  expect(
    jobsIn(
      "jobs:\n  a:\n    steps:\n      - uses: actions/setup-node@v4\n      - run: npm test\n  b:\n    steps:\n      - uses: x/y@v1\n      - run: |\n          # why\n          npm test\n          npm run lint\n",
    ),
  ).toEqual([
    { job: "a", ran: ["npm test"] },
    { job: "b", ran: ["uses x/y@v1", "npm test", "npm run lint"] },
  ]);
  expect(jobsIn("script:\n  - make\n  - make check\n")).toEqual([
    { job: undefined, ran: ["make", "make check"] },
  ]);
  for (const text of ["a: b: c", "", "jobs: {}\n", "jobs: [1]\n"])
    expect(jobsIn(text)).toEqual([{ job: undefined, ran: [] }]);
});
