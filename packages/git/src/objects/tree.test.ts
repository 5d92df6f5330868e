import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { openObjects } from "./cat-file.js";
import { openRepository } from "../repository.js";
import { commitTree, parseLsTree } from "./tree.js";

const A = "a".repeat(40);

async function openTree(cwd: string) {
  const { git, head = "" } = await openRepository({ cwd, env: gitTestEnv });
  const objects = openObjects(git);
  return {
    tree: () => commitTree(git, objects, head),
    [Symbol.dispose]: () => objects.close(),
  };
}

const FILES = {
  "package.json": "{}",
  'packages/é "q"\n': "newline",
  "packages/-dash": { executable: "#!" },
  link: { symlink: "packages" },
} as const;

test("listing and reading work in either order", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: FILES }]);
  gitIn(dir.path, "update-index", "--add", "--cacheinfo", `160000,${A},sub`);
  gitIn(dir.path, "commit", "-q", "-m", "a submodule");
  using opened = await openTree(dir.path);
  const questions = [
    ["package.json", "{}"],
    ['packages/é "q"\n', "newline"],
    ["packages/-dash", "#!"],
    ["link", "packages"],
    ["packages", undefined],
    ["sub", undefined],
    ["nothing", undefined],
    ["", undefined],
    ["./package.json", undefined],
    ["../package.json", undefined],
    ["/package.json", undefined],
  ] as const;
  const [fresh, listed] = [opened.tree(), opened.tree()];
  expect(
    (await listed.list()).map(({ mode, path }) => `${mode} ${path}`),
  ).toEqual([
    "120000 link",
    "100644 package.json",
    "100755 packages/-dash",
    '100644 packages/é "q"\n',
    "160000 sub",
  ]);
  for (const [path, content] of questions) {
    for (const tree of [fresh, listed])
      expect([path, (await tree.read(path))?.toString()]).toEqual([
        path,
        content,
      ]);
  }
});

test("in a clone without blobs, listing downloads nothing, and reading fetches the file", async () => {
  await using dir = await tempDir();
  const remote = join(dir.path, "remote");
  const clone = join(dir.path, "clone");
  gitIn(dir.path, "init", "-q", remote);
  buildHistory(remote, [{ files: FILES }]);
  gitIn(remote, "config", "uploadpack.allowFilter", "true");
  const url = pathToFileURL(remote).href;
  const flags = ["--filter=blob:none", "--no-checkout"];
  gitIn(dir.path, "clone", "-q", ...flags, url, clone);
  const missing = () =>
    gitIn(clone, "rev-list", "--objects", "--missing=print", "HEAD")
      .split("\n")
      .filter((line) => line.startsWith("?")).length;
  using opened = await openTree(clone);
  const tree = opened.tree();
  expect(await tree.list()).toHaveLength(4);
  expect(missing()).toBe(4);
  expect((await tree.read("package.json"))?.toString()).toBe("{}");
  expect(missing()).toBe(3);
});

test("every name is read exactly", () => {
  const name = anyText({ minLength: 1, maxLength: 4096 }).map((text) =>
    text.replaceAll("\0", "\n"),
  );
  fc.assert(
    fc.property(fc.array(name), (names) => {
      const text = names.map((path) => `100644 blob ${A}\t${path}\0`).join("");
      expect(parseLsTree(Buffer.from(text))).toEqual(
        names.map((path) => ({ path, mode: "100644", id: A })),
      );
    }),
  );
});

test("output that isn't git's is refused", () => {
  expect(() => parseLsTree(Buffer.from("garbage\0"))).toThrow("not a git tree");
});
