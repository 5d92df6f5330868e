import { describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, tempDir } from "@skein/testing";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { readListChangeset } from "./list-changeset.js";

const OPTIONS = { from: "changed.txt", topLevel: "/repository" };

const paths = (content: string | Buffer) =>
  readListChangeset(content, OPTIONS).changes.map(({ path }) => path);

test("a list becomes a changeset", () => {
  expect(readListChangeset("a\nb/c\n", OPTIONS)).toEqual({
    base: undefined,
    head: undefined,
    source: { kind: "list", from: "changed.txt" },
    changes: [
      { path: "a", kind: "modified", origin: "listed" },
      { path: "b/c", kind: "modified", origin: "listed" },
    ],
    unknown: [],
  });
});

describe("forms of lists", () => {
  test.each<[string, string, string[]]>([
    ["nothing", "", []],
    ["lines", "a\nb", ["a", "b"]],
    ["lines from Windows", "a\r\nb\r\n", ["a", "b"]],
    ["NULs, and then a newline is part of a name", "a\nb\0c\0", ["a\nb", "c"]],
    ["one name with a NUL", "a\0", ["a"]],
    ["empty lines and repeated names", "\na\n\na\n", ["a"]],
    ["spaces are part of a name", " a b \n", [" a b "]],
    ["./ and doubled slashes", "./a\n.//b//c/./d\n", ["a", "b/c/d"]],
    ["inner ..", "a/../b\n", ["b"]],
    ["a folder", "packages/a/\n", ["packages/a"]],
    ["absolute", "/repository/a/b\n", ["a/b"]],
    ["names that begin with dots", "..a\n...\n.b\n", ["..a", "...", ".b"]],
    ["leading dashes", "-x\n--all\n", ["-x", "--all"]],
    ["in git's quotes", '"\\303\\251 \\"q\\"\\n\\\\"\n', ['é "q"\n\\']],
    ["quotes that are not git's", '"a\n"b"c"\n', ['"a', '"b"c"']],
  ])("%s", (_, content, expected) => {
    expect(paths(content)).toEqual(expected);
  });
});

describe("a path outside of the repository is refused", () => {
  test.each([
    "../a",
    "a/../../b",
    "/etc/passwd",
    "/repository-2/a",
    "/repository",
    ".",
    "a/..",
  ])("%s", (name) => {
    expect(() => paths(`ok\n${name}\n`)).toThrow(
      expect.objectContaining({
        name: "Failure",
        message: `the list of changed files names ${JSON.stringify(name)}, which is not a file of the repository`,
        exitCode: 2,
        place: { file: "changed.txt", line: 2 },
      }),
    );
  });
});

test("an absolute path without a repository is refused", () => {
  expect(() => readListChangeset("/a", { from: "-" })).toThrow("/a");
});

test("a NUL-separated list preserves any name", () => {
  const part = anyText({ minLength: 1, maxLength: 255 })
    .map((text) => text.replaceAll(/[\0/]/g, "\n"))
    .filter((text) => text !== "." && text !== "..");
  const path = fc
    .array(part, { minLength: 1, maxLength: 8 })
    .map((parts) => parts.join("/"));
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1 }), (names) => {
      expect(paths(names.map((name) => `${name}\0`).join(""))).toEqual(names);
    }),
  );
});

test("lines of git with quoted names are read", async () => {
  await using dir = await tempDir();
  const names = [
    "é",
    "e\u0301",
    'q"q',
    "tab\t",
    "new\nline",
    "back\\slash",
    "\x01\x7f",
    " ",
  ];
  buildHistory(dir.path, [
    { files: Object.fromEntries(names.map((name) => [name, "1"])) },
  ]);
  expect(paths(gitIn(dir.path, "ls-files")).sort()).toEqual([...names].sort());
});
