import { expect, test } from "@jest/globals";
import {
  ownersOfPackage,
  ownersOfPath,
  parseCodeowners,
  readCodeowners,
} from "./codeowners.js";

// The rows follow the examples of GitHub's page "About code owners".
test.each([
  ["*", "a/b/c.js", true],
  ["*.js", "a.js", true],
  ["*.js", "a/b/c.js", true],
  ["*.js", "a.jsx", false],
  ["/build/logs/", "build/logs/x/y", true],
  ["/build/logs/", "a/build/logs/x", false],
  ["/build/logs/", "build/logs", false],
  ["docs/*", "docs/getting-started.md", true],
  ["docs/*", "docs/build-app/troubleshooting.md", false],
  ["docs/*", "a/docs/x.md", false],
  ["apps/", "apps/x", true],
  ["apps/", "a/apps/x/y", true],
  ["/docs/", "docs/x", true],
  ["/docs/", "a/docs/x", false],
  ["/scripts/", "scripts/a/b", true],
  ["**/logs", "build/logs/x", true],
  ["**/logs", "logs/x", true],
  ["**/logs", "a/b/logs", true],
  ["/apps/github", "apps/github/x", true],
  ["/apps/github", "apps/github2", false],
  ["apps/**/test", "apps/test", true],
  ["apps/**/test", "apps/a/b/test/x", true],
  ["apps/**", "apps/a/b", true],
  ["apps/**", "apps", false],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["a.c", "abc", false],
  ["a+(b)", "a+(b)", true],
  ["/", "a", false],
  ["A", "a", false],
  ["my\\ docs/", "my docs/x", true],
  ["/*/ui/", "packages/ui/x", true],
  ["/*/ui/", "a/packages/ui/x", false],
  ["日本/", "日本/x", true],
])("%s and %s: %s", (pattern, path, matches) => {
  const codeowners = parseCodeowners(`${pattern} @o`);
  expect(codeowners).toHaveLength(1);
  expect(ownersOfPath(codeowners, path)).toEqual(matches ? ["@o"] : []);
});

const codeowners = parseCodeowners(
  [
    "# everything",
    "* @acme/all",
    "*.json @acme/tooling # whoever",
    "/packages/ui/ @acme/ui ada@example.com",
    "/packages/ui/docs/ @acme/docs\r",
    "/packages/free/",
    "",
    "!/packages/ui/ @acme/no",
    "[Section] @acme/no",
    "/a[bc] @acme/no",
    "\\#x @acme/no",
    "/packages/ui/ not-an-owner",
    "/apps/* @acme/apps",
  ].join("\n"),
);

test.each([
  ["package.json", ["@acme/tooling"]],
  ["packages/ui/package.json", ["@acme/ui", "ada@example.com"]],
  ["packages/ui/docs/a.md", ["@acme/docs"]],
  ["packages/free/a", []],
  ["apps/web", ["@acme/apps"]],
  ["apps/web/a", ["@acme/all"]],
])("%s is owned by %j: the last rule that matches", (path, owners) => {
  expect(ownersOfPath(codeowners, path)).toEqual(owners);
});

test.each([
  [".", ["@acme/all"]],
  ["packages/ui", ["@acme/ui", "ada@example.com"]],
  ["packages/ui/nested", ["@acme/ui", "ada@example.com"]],
  ["packages/free", []],
  ["packages/other", ["@acme/all"]],
])("the package in %s is owned by %j", (dir, owners) => {
  expect(ownersOfPackage(codeowners, dir)).toEqual(owners);
});

test("lines that GitHub ignores are ignored", () => {
  expect(codeowners.map(({ owners }) => owners)).toEqual([
    ["@acme/all"],
    ["@acme/tooling"],
    ["@acme/ui", "ada@example.com"],
    ["@acme/docs"],
    [],
    ["@acme/apps"],
  ]);
  expect(parseCodeowners("")).toEqual([]);
});

test.each<[string[], string | undefined]>([
  [["docs/CODEOWNERS", "CODEOWNERS", ".github/CODEOWNERS"], "@.github"],
  [["docs/CODEOWNERS", "CODEOWNERS"], "@CODEOWNERS"],
  [["docs/CODEOWNERS", "CODEOWNERS.md"], "@docs"],
  [[], undefined],
])(
  "of %j, the first place that GitHub looks in counts",
  async (there, owner) => {
    const codeowners = await readCodeowners((path) =>
      Promise.resolve(
        there.includes(path)
          ? Buffer.from(`* @${path.split("/")[0] ?? ""}`)
          : undefined,
      ),
    );
    expect(ownersOfPath(codeowners, "a.js")[0]).toBe(owner);
  },
);
