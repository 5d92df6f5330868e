import { expect, test } from "@jest/globals";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { openGit } from "@skein/git";
import {
  bigWorkspace,
  buildHistory,
  gitIn,
  gitTestEnv,
  tempDir,
} from "@skein/testing";
import { readReferences } from "./read-references.js";
import { beginReading } from "./reading.js";

const FILES = {
  "package.json": '{ "workspaces": ["a", "b"] }',
  "a/package.json": '{ "name": "a" }',
  "a/x.js": 'import "../b/y.js";\n',
  "b/package.json": '{ "name": "b" }',
  "b/y.js": "",
};
const WORKSPACES = [
  { name: "root", dir: ".", declared: new Set<string>() },
  { name: "a", dir: "a", declared: new Set<string>() },
  { name: "b", dir: "b", declared: new Set<string>() },
];

function openProject(dir: string, files: Record<string, string>) {
  buildHistory(dir, [{ files }]);
  const tree = gitIn(dir, "rev-parse", "HEAD^{tree}").trim();
  const git = openGit({ cwd: dir, env: gitTestEnv });
  return { git, tree, checkout: dir, cacheDir: join(dir, ".git/skein") };
}

test("reading starts before the workspaces are known, reads each file once, and doesn't start if the references are cached", async () => {
  await using dir = await tempDir();
  const project = openProject(dir.path, FILES);
  const reading = beginReading(project);
  expect(reading?.tree).toBe(project.tree);
  await reading?.base;
  // With the folder and git out of reach, only files that were read earlier can answer.
  const elsewhere = join(dir.path, "b");
  const graph = await readReferences({
    ...{ ...project, checkout: elsewhere, reading, workspaces: WORKSPACES },
    git: openGit({ cwd: elsewhere, env: { ...gitTestEnv, PATH: "" } }),
  });
  expect(graph.edges().edges.map(({ from, to }) => [from, to])).toEqual([
    ["a", "b"],
  ]);
  expect(beginReading(project)).toBeUndefined();
});

test("a reading of another tree isn't used", async () => {
  await using dir = await tempDir();
  const project = openProject(dir.path, FILES);
  const before = beginReading(project);
  buildHistory(dir.path, [{ files: { ...FILES, "b/z.js": 'import "a";' } }]);
  const tree = gitIn(dir.path, "rev-parse", "HEAD^{tree}").trim();
  const graph = await readReferences({
    ...{ ...project, tree, reading: before, workspaces: WORKSPACES },
  });
  expect(graph.edges().edges.map(({ from, to }) => [from, to])).toEqual([
    ["a", "b"],
    ["b", "a"],
  ]);
});

test("a stopped reading reads no more files and caches nothing", async () => {
  await using dir = await tempDir();
  const files = bigWorkspace({ packages: 200 }) as Record<string, string>;
  const project = openProject(dir.path, files);
  const reading = beginReading(project);
  const stopped = expect(reading?.base).rejects.toThrow("aborted");
  await reading?.stop();
  await stopped;
  expect(await readdir(join(dir.path, ".git"))).not.toContain("skein");
});
