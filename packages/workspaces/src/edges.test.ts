import { expect, test } from "@jest/globals";
import { pathsIn } from "./edges.js";
import { fixtureProject, memoryFiles } from "./memory-files.test.support.js";
import type { Project } from "./project.js";
import { readProject } from "./read-project.js";

async function read(name: string, complete: boolean): Promise<Project> {
  const project = await readProject(memoryFiles(fixtureProject(name)), {
    touchedManifests: [],
    complete,
  });
  if (!project) throw new Error(`${name} has no package.json`);
  return project;
}

const sorted = (lines: Iterable<string>) => [...new Set(lines)].toSorted();

const KINDS = [
  "@m/a -> @m/clsx-fork (dependencies: clsx@^2.0.0)",
  "@m/a -> @m/core (dependencies: vend-r@portal:./vendor/p::locator=root%40workspace%3A.)",
  "@m/a -> @m/other (dependencies: @m/core@workspace:packages/other)",
  "@m/a -> @m/outer (dependencies: vf2@file:../../vendor/f#../../vendor/f::hash=0fe71d&locator=%40m%2Fa%40workspace%3Apackages%2Fa)",
  "@m/a -> @m/outer (dependencies: vf@file:../../vendor/f#../../vendor/f::hash=5d4063&locator=%40m%2Fa%40workspace%3Apackages%2Fa)",
  "@m/a -> @m/outer (optionalDependencies: @m/outer@^1.0.0)",
  "@m/a -> @m/peer (peerDependencies: @m/peer@*)",
  "@m/core -> @m/other (dependencies: core2@workspace:packages/other)",
  "@m/linker -> @m/core (dependencies: core-link@link:../core)",
  "@m/linker -> @m/core (dependencies: core-link@link:../core::locator=%40m%2Flinker%40workspace%3Apackages%2Flinker)",
  "@m/ranges -> @m/core (devDependencies: @m/core@workspace:~)",
  "@m/ranges -> @m/other (dependencies: @m/other@workspace:*)",
  "@m/ranges -> @m/outer (dependencies: @m/outer@~1.2.0)",
  "nameless-d032e4 -> @m/outer (dependencies: @m/outer@workspace:^)",
];

// `deep` depends on inner@*, which Yarn resolved to the registry, because the workspace has no version.
const NESTED = [
  "deep -> one (dependencies: one@workspace:tools/one)",
  "inner -> outer (devDependencies: outer@workspace:^)",
  "one -> deep (peerDependencies: deep@*)",
  "outer -> inner (dependencies: inner@workspace:*)",
  "two -> deep (dependencies: deep@portal:../../packages/outer/deep/x/y)",
  "two -> deep (dependencies: deep@portal:../../packages/outer/deep/x/y::locator=two%40workspace%3Atools%2Ftwo)",
  "two -> one (dependencies: deep@portal:../../packages/outer/deep/x/y::locator=two%40workspace%3Atools%2Ftwo)",
  "two -> one (dependencies: one@file:../one#../one::hash=0745d6&locator=two%40workspace%3Atools%2Ftwo)",
  "two -> one (dependencies: one@file:../one)",
];

test.each([
  ["kinds", KINDS],
  ["nested", NESTED],
])("%s: edges as Yarn resolves them", async (name, edges) => {
  const { graph } = await read(name, true);
  expect(
    sorted(
      graph.edges.map(
        ({ from, to, kind, evidence }) =>
          `${from} -> ${to} (${kind}: ${evidence})`,
      ),
    ),
  ).toEqual(edges);
});

test("folders and files outside every workspace that workspaces use", async () => {
  const { pathTargets } = await read("kinds", false);
  expect(
    sorted(pathTargets.map(({ workspace, path }) => `${workspace}: ${path}`)),
  ).toEqual([
    "@m/a: pc.patch",
    "@m/a: vendor/f",
    "@m/a: vendor/p",
    "@m/linker: vendor/f",
  ]);
});

test.each<[ranges: Record<string, string>, edges: string[]]>([
  [{ b: "link:../folder/b" }, ["a -> b"]],
  [{ x: "link:../folder" }, ["a -> b", "a -> c"]],
  [{ x: "portal:../folder/b/src" }, ["a -> b"]],
  [{ x: "./../folder/b/" }, ["a -> b"]],
  [{ x: "exec:../folder/b/make.js" }, ["a -> b"]],
  [{ x: "link:." }, []],
  [{ x: "link:../elsewhere" }, []],
  [{ x: "patch:x@npm%3A1#../folder/b/x.patch" }, ["a -> b"]],
  [
    { x: "patch:x@npm%3A1#~/folder/c/x.patch&../folder/b/y.patch" },
    ["a -> b", "a -> c"],
  ],
  [
    {
      x: "patch:x@patch%3Ax@npm%253A1%23~/folder/c/x.patch#optional!./own.patch",
    },
    ["a -> c"],
  ],
  [{ b: "workspace:^" }, ["a -> b"]],
  [{ b: "workspace:folder/c" }, ["a -> c"]],
  [{ other: "workspace:./folder/c" }, ["a -> c"]],
  [{ other: "workspace:*" }, []],
  [{ b: "^1.0.0" }, ["a -> b"]],
  [{ a: "workspace:*" }, []],
])("without a lockfile, %j makes the edges %j", async (dependencies, edges) => {
  const project = await readProject(
    memoryFiles({
      "package.json": { name: "root", workspaces: ["a", "folder/*"] },
      "a/package.json": { name: "a", dependencies },
      "folder/b/package.json": { name: "b" },
      "folder/c/package.json": { name: "c" },
    }),
    { touchedManifests: [], complete: false },
  );
  expect(
    sorted(
      project?.graph.edges.map(({ from, to }) => `${from} -> ${to}`) ?? [],
    ),
  ).toEqual(edges);
});

test.each<[range: string, paths: string[]]>([
  ["^1.0.0", []],
  ["npm:x@1", []],
  ["link:../x", ["packages/x"]],
  ["link:./x", ["packages/a/x"]],
  ["link:../../x#y", ["x"]],
  ["file:./x%20y.tgz", ["packages/a/x y.tgz"]],
  ["file:./100%.tgz", ["packages/a/100%.tgz"]],
  ["file:../x#../x::hash=1&locator=a", ["packages/x"]],
  ["portal:../../../out", ["../out"]],
  ["portal:../..", ["."]],
  ["../x.tgz", ["packages/x.tgz"]],
  ["exec:./make.js", ["packages/a/make.js"]],
  ["patch:x@npm%3A1#~/.yarn/patches/x.patch", [".yarn/patches/x.patch"]],
  [
    "patch:x@npm%3A1#./x.patch::version=1&hash=2&locator=a",
    ["packages/a/x.patch"],
  ],
  ["patch:x@npm%3A1#optional!builtin<compat/x>", []],
  [
    "patch:x@npm%3A1#optional!~/x.patch&./y.patch",
    ["x.patch", "packages/a/y.patch"],
  ],
  [
    "patch:x@patch%3Ax@npm%253A1%23~/one.patch#~/two.patch",
    ["one.patch", "two.patch"],
  ],
])("%s names %j", (range, paths) =>
  expect(pathsIn(range, "packages/a")).toEqual(paths),
);
