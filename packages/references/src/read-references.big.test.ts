import { getEventListeners } from "node:events";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Git, openGit, parseLsTree } from "@skein/git";
import {
  bigWorkspace,
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
} from "@skein/testing";
import { scanAll } from "./index/table/scan-all.js";
import type { FileToScan } from "./index/table/scan-files.js";
import { readReferences } from "./read-references.js";

const files = bigWorkspace({
  packages: 300,
  extra: {
    "packages/p0/src/sneaky.ts":
      'import "@big/p299";\nimport "../../p7/src/view.js";\n',
  },
});
let dir: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  dir = await tempDir();
  buildHistory(dir.path, [{ files }]);
});
afterAll(async () => {
  await dir[Symbol.asyncDispose]();
});

test("many files are read on several threads, from disk or from git, to the same end", async () => {
  const manifests = Object.entries(files).filter(([path]) =>
    path.endsWith("package.json"),
  );
  const workspaces = manifests.map(([path, text]) => {
    const { name, dependencies } = JSON.parse(text as string) as {
      name: string;
      dependencies?: Record<string, string>;
    };
    return {
      name,
      dir: path.replace(/\/?package\.json$/, "") || ".",
      declared: new Set(Object.keys(dependencies ?? {})),
    };
  });
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const tree = gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim();
  const fromDisk = await readReferences({
    git,
    tree,
    workspaces,
    workingTree: { dir: dir.path, changed: [] },
  });
  const fromGit = await readReferences({ git, tree, workspaces });
  expect(
    fromDisk.edges().edges.map(({ from, to }) => `${from} -> ${to}`),
  ).toEqual(["@big/p0 -> @big/p299", "@big/p0 -> @big/p7"]);
  const declared = workspaces.reduce(
    (sum, { declared }) => sum + declared.size,
    0,
  );
  // Each declared dependency is imported once, and each tsconfig extends the root's.
  expect(fromDisk.crossings()).toHaveLength(declared + 301 + 2);
  expect(fromGit.crossings()).toEqual(fromDisk.crossings());
  expect(fromDisk.refersTo("tsconfig.json")).toHaveLength(301);
  expect(
    fromDisk.importersOf("packages/p3/src/format.ts").map(({ file }) => file),
  ).toEqual(["packages/p3/src/index.ts", "packages/p3/test/format.test.ts"]);
});

async function filesToScan(git: Git): Promise<FileToScan[]> {
  const { stdout } = await git.run(["ls-tree", "-r", "-z", "HEAD"]);
  return parseLsTree(stdout).map(({ path, id }) => [path, "ts", id]);
}

test("stopped threads send nothing more", async () => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const git = openGit({ cwd: dir.path, env: gitTestEnv, signal });
  let parts = 0;
  const scanning = scanAll(
    await filesToScan(git),
    { git, dir: dir.path, absent: new Set() },
    () => {
      parts++;
      stopping.abort();
    },
  );
  await expect(scanning).rejects.toThrow("aborted");
  expect(parts).toBe(1);
});

test("threads that have ended don't listen for Ctrl-C: Node warns of the eleventh listener", async () => {
  const { signal } = new AbortController();
  const git = openGit({ cwd: dir.path, env: gitTestEnv, signal });
  let parts = 0;
  await scanAll(
    await filesToScan(git),
    { git, dir: dir.path, absent: new Set() },
    () => {
      parts++;
    },
  );
  expect(parts).toBeGreaterThan(1);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
