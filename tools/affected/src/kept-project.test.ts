import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { blobId } from "@skein/git";
import { tempDir } from "@skein/testing";
import { readProject } from "@skein/workspaces";
import fc from "fast-check";
import { readKeptProject } from "./kept-project.js";
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
  return {
    name: "",
    read(path) {
      asked.push(path);
      return bytes(path);
    },
    async id(path) {
      const content = await bytes(path);
      return content && blobId(content, 40);
    },
    list: () => Promise.resolve([]),
  };
}

/** Two packages, of which the first may depend on the second, by way of a resolution or of a catalog too. */
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

test("whatever was kept before, the answer is that of the files as they are", async () => {
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

test("the same files are not read again; one other byte, or a kept file that is not whole, and they are", async () => {
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
