import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { filesOf } from "../affected/random/toy-files.test.support.js";
import { change } from "../affected/random/toy.test.support.js";
import { fixtureProject, memoryFiles } from "../memory-files.test.support.js";
import type { MemoryFiles } from "../memory-files.test.support.js";
import type { Project } from "../project.js";
import { readProject } from "../read-project.js";
import { keepProject } from "./keep-project.js";
import { openKeptProject } from "./open-kept.js";

/** Returns everything about a project except its lockfile. */
function answers({
  root,
  packages,
  graph,
  pathTargets,
  namedByExternals,
  unmatchedGlobs,
}: Project) {
  const names = [...graph.workspaces.keys()];
  return {
    root,
    pathTargets,
    namedByExternals,
    unmatchedGlobs,
    packages: packages.map(({ name, dir, dependencies, manifest }) => ({
      name,
      dir,
      dependencies,
      manifest,
    })),
    workspaces: [...graph.workspaces].map(([name, { dir }]) => [name, dir]),
    edges: graph.edges,
    rootName: graph.root,
    into: names.map((name) => graph.dependentsOf(name)),
    from: names.map((name) => graph.dependenciesOf(name)),
    owners: packages.map(({ dir }) => graph.ownerOf(`${dir}/src/x`).name),
    nobody: [graph.dependentsOf("nobody"), graph.dependenciesOf("nobody")],
  };
}

async function fresh(files: MemoryFiles): Promise<Project> {
  const options = { touchedManifests: [], complete: false };
  const project = await readProject(memoryFiles(files), options);
  if (!project) throw new Error("there is a package.json");
  return project;
}

function keptAndOpened(
  project: Project,
  files: MemoryFiles,
): Project | undefined {
  const text = files["package.json"];
  const kept = keepProject(
    project,
    typeof text === "string" ? text : JSON.stringify(text),
  );
  return kept && openKeptProject(Buffer.from(new Uint8Array(kept).buffer));
}

describe("a cached project returns the same as the original", () => {
  test.each(["kinds", "nested"])("of the fixture %s", async (name) => {
    const files = fixtureProject(name);
    const project = await fresh(files);
    const kept = keptAndOpened(project, files);
    expect(kept && answers(kept)).toEqual(answers(project));
  });

  test("with globs that match nothing", async () => {
    const files = fixtureProject("kinds");
    const workspaces = ["packages/*", "nothing/*", "docs"];
    const idle = { ...files, "package.json": { name: "root", workspaces } };
    const project = await fresh(idle);
    expect(project.unmatchedGlobs).toEqual(["nothing/*", "docs"]);
    const kept = keptAndOpened(project, idle);
    expect(kept && answers(kept)).toEqual(answers(project));
  });

  test("with names of workspaces that external packages depend on", async () => {
    const entry = (name: string, version: string, dependencies = "") =>
      `"${name}@${version}":\n  resolution: "${name}@${version}"\n${dependencies}`;
    const files = {
      "package.json": { name: "root", workspaces: ["*"] },
      "yarn.lock": [
        entry("root", "workspace:."),
        entry("a", "workspace:a", '  dependencies:\n    x: "npm:1"\n'),
        entry("b", "workspace:b", '  dependencies:\n    a: "npm:1"\n'),
        entry("x", "npm:1", '  dependencies:\n    y: "npm:1"\n'),
        entry(
          "y",
          "npm:1",
          '  dependencies:\n    a: "npm:1"\n    b: "npm:1"\n',
        ),
        entry("a", "npm:1"),
        entry("b", "npm:1"),
      ].join("\n"),
    };
    const project = await fresh(files);
    expect(project.namedByExternals).toEqual(new Map([["a", new Set(["b"])]]));
    const kept = keptAndOpened(project, files);
    expect(kept && answers(kept)).toEqual(answers(project));
  });

  test("of random workspaces", async () => {
    await fc.assert(
      fc.asyncProperty(change, async ({ head }) => {
        const files = filesOf(head);
        const project = await fresh(files);
        const kept = keptAndOpened(project, files);
        expect(kept && answers(kept)).toEqual(answers(project));
      }),
      { numRuns: 300 },
    );
  });
});

test("a project that can't be encoded isn't cached, and other bytes aren't decoded as a project", async () => {
  const files = {
    "package.json": { name: "root", workspaces: ["a"] },
    "yarn.lock": '"nul@workspace:a":\n  resolution: "nu\\u0000l@workspace:a"\n',
  };
  const project = await fresh(files);
  expect(project.packages.map(({ name }) => name)).toContain("nu\0l");
  expect(keptAndOpened(project, files)).toBeUndefined();
  for (const length of [0, 3, 8, 64, 4096]) {
    expect(openKeptProject(Buffer.alloc(length))).toBeUndefined();
    expect(openKeptProject(Buffer.alloc(length, 255))).toBeUndefined();
  }
});
