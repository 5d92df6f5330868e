import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openProjectRepository, readGitChangeset } from "@skein/changes";
import type { Changeset } from "@skein/changes";
import { blobId } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { readProject } from "@skein/workspaces";
import fc from "fast-check";
import { diskFiles } from "../files/files.js";
import { openKeptHead, readKeptProject, withIds } from "./kept-project.js";
import type { FilesWithIds } from "./kept-project.js";

interface Sources {
  readonly "package.json": string;
  readonly "yarn.lock": string;
  readonly ".yarnrc.yml": string | undefined;
}

function filesOf(sources: Sources, asked: string[] = []): FilesWithIds {
  const bytes = (path: string) => {
    const text = sources[path as keyof Sources];
    return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
  };
  const id = async (path: string) => {
    const content = await bytes(path);
    return content && blobId(content, 40);
  };
  return {
    id,
    idOfBytes: id,
    name: "",
    read(path) {
      asked.push(path);
      return bytes(path);
    },
    list: () => Promise.resolve([]),
  };
}

/** Returns two packages, of which the first may depend on the second, also through a resolution or a catalog. */
function sourcesOf(form: number, rc: string | undefined): Sources {
  const range = ["workspace:^", "npm:^1.0.0", "catalog:", undefined][form % 4];
  const manifest = {
    name: "root",
    workspaces: ["packages/*"],
    ...(form > 3 && { resolutions: { b: "workspace:packages/b" } }),
  };
  const uses =
    range === undefined ? "" : `  dependencies:\n    b: "${range}"\n`;
  return {
    "package.json": JSON.stringify(manifest),
    "yarn.lock": [
      `"a@workspace:packages/a":\n  version: 0.0.0-use.local\n  resolution: "a@workspace:packages/a"\n${uses}`,
      `"b@workspace:^, b@workspace:packages/b":\n  version: 0.0.0-use.local\n  resolution: "b@workspace:packages/b"\n`,
      `"root@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "root@workspace:."\n`,
    ].join("\n"),
    ".yarnrc.yml": rc,
  };
}

const RCS = [
  undefined,
  "",
  "nodeLinker: pnp\n",
  'catalog:\n  b: "workspace:^"\n',
];

async function outline(files: FilesWithIds) {
  const project = await readProject(files, {
    touchedManifests: [],
    complete: false,
  });
  return project && { edges: project.graph.edges, packages: project.packages };
}

test("the result always matches the current files, even if the cache is stale", async () => {
  await using dir = await tempDir();
  const states = fc.array(
    fc.record({ form: fc.nat(7), rc: fc.constantFrom(...RCS) }),
    { minLength: 2, maxLength: 6 },
  );
  let times = 0;
  await fc.assert(
    fc.asyncProperty(states, async (steps) => {
      const folder = join(dir.path, `${times++}`);
      for (const { form, rc } of steps) {
        const files = filesOf(sourcesOf(form, rc));
        const known = await readKeptProject(files, folder);
        const { packages = [], graph } = known?.project ?? {};
        expect({
          edges: graph?.edges,
          packages: packages.map(({ name, dir, dependencies, manifest }) => ({
            name,
            dir,
            dependencies,
            ...(manifest && { manifest }),
          })),
        }).toEqual(await outline(files));
      }
    }),
    { numRuns: 100 },
  );
});

test("unchanged files aren't read again; another byte or a broken cache file causes a read", async () => {
  await using dir = await tempDir();
  const sources = sourcesOf(0, "");
  const read = async (changed: Sources) => {
    const asked: string[] = [];
    await readKeptProject(filesOf(changed, asked), dir.path);
    return asked.includes("yarn.lock");
  };
  expect(await read(sources)).toBe(true);
  expect(await readdir(dir.path)).toEqual(["graph.bin"]);
  expect(await read(sources)).toBe(false);
  for (const path of ["package.json", "yarn.lock", ".yarnrc.yml"] as const) {
    const changed = { ...sources, [path]: `${sources[path] ?? ""}\n` };
    expect([path, await read(changed)]).toEqual([path, true]);
    expect([path, await read(changed)]).toEqual([path, false]);
  }
  const file = join(dir.path, "graph.bin");
  const whole = await readFile(file);
  const last = { ...sources, ".yarnrc.yml": "\n" };
  for (const torn of [whole.subarray(0, -1), Buffer.alloc(0)]) {
    await writeFile(file, torn);
    expect(await read(last)).toBe(true);
    expect(await readFile(file)).toEqual(whole);
  }
});

test("ids of a working tree come from git for unchanged files, and otherwise from the bytes", async () => {
  await using dir = await tempDir();
  const sources = ["package.json", "yarn.lock", ".yarnrc.yml"];
  buildHistory(dir.path, [
    { files: { "package.json": "{}", "yarn.lock": "1", ".gitignore": ".y*" } },
  ]);
  const ids = async (source?: Changeset["source"]) => {
    const options = { cwd: dir.path, env: gitTestEnv };
    const repository = await openProjectRepository(options, "main");
    const found = await readGitChangeset(repository, {
      base: "main",
      workingTree: true,
      deepen: "never",
      onMissingBase: "error",
    });
    const read: string[] = [];
    const disk = diskFiles(dir.path, () => Promise.resolve(repository));
    const files = withIds(
      {
        ...disk,
        read(path) {
          read.push(path);
          return disk.read(path);
        },
      },
      repository,
      { changeset: { ...found, source: source ?? found.source }, prefix: "" },
    );
    const reported = [];
    for (const path of sources) reported.push(await files.id(path));
    expect(reported).toEqual(
      await Promise.all(
        sources.map(async (path) => {
          const bytes = await disk.read(path);
          return bytes && blobId(bytes, 40);
        }),
      ),
    );
    return read;
  };
  const write = (path: string, text: string) =>
    writeFile(join(dir.path, path), text);
  // Files that no commit contains may exist in the working tree.
  expect(await ids()).toEqual([".yarnrc.yml"]);
  expect(await ids({ kind: "list", from: "-" })).toEqual(sources);
  await write(".yarnrc.yml", "ignored: true\n");
  expect(await ids()).toEqual([".yarnrc.yml"]);
  await write("yarn.lock", "2");
  expect(await ids()).toEqual(["yarn.lock", ".yarnrc.yml"]);
  gitIn(dir.path, "add", "yarn.lock");
  await write("yarn.lock", "1");
  expect(await ids()).toEqual(["yarn.lock", ".yarnrc.yml"]);
  await rm(join(dir.path, "package.json"));
  expect(await ids()).toEqual(sources);
});

test("the result of a filter is cached under its own id", async () => {
  await using dir = await tempDir();
  const sources = sourcesOf(0, "");
  const files = filesOf(sources);
  const reported = { ...files, id: () => Promise.resolve("0".repeat(40)) };
  await readKeptProject(reported, dir.path);
  const asked: string[] = [];
  const own = filesOf(sources, asked);
  await readKeptProject(own, dir.path);
  expect(asked).toEqual([]);
  await readKeptProject({ ...own, id: reported.id }, dir.path);
  expect(asked).toEqual([]);
});

test("files that were opened early are used only for the content that they belong to", async () => {
  await using dir = await tempDir();
  const cwd = join(dir.path, "repository");
  const kept = join(dir.path, "kept");
  const [old, now] = [sourcesOf(0, ""), sourcesOf(1, "")];
  await mkdir(cwd);
  buildHistory(cwd, [{ files: { ...old, ".yarnrc.yml": "" } }]);
  const options = { cwd, env: gitTestEnv };
  const repository = await openProjectRepository(options, "main");
  expect(await openKeptHead(repository, kept)).toBeUndefined();
  const read = await readKeptProject(filesOf(old), kept);
  const opened = await openKeptHead(repository, kept);
  expect(opened?.key).toBe(read?.key);
  expect(await readKeptProject(filesOf(old), kept, opened)).toBe(opened);
  const other = await readKeptProject(filesOf(now), kept, opened);
  expect(other?.project.graph.edges).toEqual(
    (await outline(filesOf(now)))?.edges,
  );
});
