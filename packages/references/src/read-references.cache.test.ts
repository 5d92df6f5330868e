import {
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import {
  buildHistory,
  type CommitSpec,
  gitIn,
  gitTestEnv,
  tempDir,
  writeFiles,
} from "@skein/testing";
import fc from "fast-check";
import type { ReferenceGraph, ReferringWorkspace } from "./graph.js";
import { readReferences } from "./read-references.js";

const PACKAGES = ["a", "b", "c"];
const workspaces: readonly ReferringWorkspace[] = [
  { name: "root", dir: ".", declared: new Set() },
  ...PACKAGES.map((name) => ({
    name,
    dir: `packages/${name}`,
    declared: new Set(["c"]),
  })),
];

/** Paths that random edits write, and lines that they write there. */
const PATHS = [
  ...PACKAGES.flatMap((name) =>
    ["package.json", "src/x.ts", "src/y.test.ts", "tsconfig.json", "link"].map(
      (file) => `packages/${name}/${file}`,
    ),
  ),
  "shared/z.ts",
  "shared/tsconfig.json",
  "tsconfig.json",
];
const LINES = [
  'import "a";',
  'import "b/src/x";',
  'import "../../b/src/x";',
  'export * from "../../../shared/z.js";',
  'import "~z";',
  'import "./y.test.js";',
  "import(`../../${x}`);",
  'read("../../c/data");',
  "const = broken 'a'",
];
const JSONS = [
  '{ "extends": "../../shared/tsconfig.json" }',
  '{ "compilerOptions": { "paths": { "~z": ["./z.ts"], "~*": ["../packages/*"] } } }',
  '{ "main": "src/x.ts", "scripts": { "build": "node ../../shared/z.js" } }',
  "{ broken",
];
const TARGETS = ["../../shared/z.ts", "../b", "src"];

const edit = fc.record({
  path: fc.constantFrom(...PATHS),
  lines: fc.array(fc.constantFrom(...LINES), { maxLength: 3 }),
  json: fc.constantFrom(...JSONS),
  target: fc.constantFrom(...TARGETS),
  remove: fc.boolean(),
});
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function filesOf(edits: readonly Edit[]) {
  return Object.fromEntries(
    edits.map(({ path, lines, json, target }) => [
      path,
      path.endsWith(".json")
        ? json
        : path.endsWith("link")
          ? { symlink: target }
          : lines.join("\n"),
    ]),
  );
}

/** An edge to a module, and one to the whole package. A new index notes them in another order than a cached one. */
const EXAMPLE: readonly (readonly Partial<Edit>[])[] = [
  [{ path: "packages/a/src/x.ts", lines: ['import "../../b/src/x";'] }],
  [{ path: "packages/a/package.json" }],
  [
    { path: "packages/b/src/x.ts" },
    { path: "packages/a/link", target: "../b" },
    { path: "packages/a/package.json" },
  ],
];
const PLAIN: Edit = {
  path: "packages/a/src/x.ts",
  lines: [],
  json: '{ "extends": "../../shared/tsconfig.json" }',
  target: "../../shared/z.ts",
  remove: false,
};

describe("the cached index", () => {
  test("returns the same as a new index, after any commits and edits", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(edit, { minLength: 1, maxLength: 6 }), {
          minLength: 2,
          maxLength: 4,
        }),
        fc.array(edit, { maxLength: 4 }),
        async (commits, edits) => {
          await using dir = await tempDir();
          const specs: CommitSpec[] = commits.map((changes, i) => ({
            files: filesOf(changes),
            ...(i > 0 && {
              remove: changes
                .filter(({ remove }) => remove)
                .map(({ path }) => path),
            }),
          }));
          buildHistory(dir.path, specs);
          const cacheDir = join(dir.path, ".git", "skein");
          for (const commit of specs.map((_, i) => `HEAD~${i}`).reverse()) {
            const cold = await answers(dir.path, commit, []);
            // The second time the edges are kept, too.
            for (let time = 0; time < 2; time++)
              expect(await answers(dir.path, commit, [], cacheDir)).toEqual(
                cold,
              );
          }
          const removed = edits
            .filter(({ remove }) => remove)
            .map(({ path }) => path);
          for (const { path } of edits)
            await rm(join(dir.path, path), { force: true });
          await writeFiles(
            dir.path,
            filesOf(edits.filter(({ path }) => !removed.includes(path))),
          );
          const changed = [...new Set(edits.map(({ path }) => path))];
          const cold = await answers(dir.path, "HEAD", changed);
          expect(await answers(dir.path, "HEAD", changed, cacheDir)).toEqual(
            cold,
          );
          // The second time the facts of the edited files are kept too.
          expect(await answers(dir.path, "HEAD", changed, cacheDir)).toEqual(
            cold,
          );
          // Older trees are read back from the newest, and without a checkout.
          expect(
            await answers(dir.path, "HEAD~1", undefined, cacheDir),
          ).toEqual(await answers(dir.path, "HEAD~1", undefined));
        },
      ),
      {
        numRuns: 10,
        examples: [
          [
            EXAMPLE.map((edits) =>
              edits.map((each) => ({ ...PLAIN, ...each })),
            ),
            [],
          ],
        ],
      },
    );
  });

  test.each<[why: string, spoil: (file: string) => Promise<void>]>([
    ["cut short", (file) => truncate(file, 100)],
    ["emptied", (file) => truncate(file, 0)],
    [
      "overwritten with zeros at the same length",
      async (file) => writeFile(file, Buffer.alloc((await stat(file)).size)),
    ],
    [
      "changed by one bit",
      async (file) => {
        const bytes = await readFile(file);
        const at = bytes.length - 3;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        await writeFile(file, bytes);
      },
    ],
  ])("is rebuilt if it was %s", async (_why, spoil) => {
    await using dir = await repository();
    const cacheDir = join(dir.path, ".git", "skein");
    const changed = ["packages/a/src/new.ts"];
    await writeFiles(dir.path, {
      "packages/a/src/new.ts": 'import "../../b";',
    });
    const committed = await answers(dir.path, "HEAD", [], cacheDir);
    const cold = await answers(dir.path, "HEAD", changed, cacheDir);
    const files = (await readdir(cacheDir)).sort();
    expect(files).toEqual([
      "references-edges.json",
      "references-recent.json",
      "references-rows.bin",
      "references.bin",
    ]);
    for (const file of files) await spoil(join(cacheDir, file));
    expect(await answers(dir.path, "HEAD", [], cacheDir)).toEqual(committed);
    expect(await answers(dir.path, "HEAD", changed, cacheDir)).toEqual(cold);
    // And it is whole again: nothing is written the next time.
    for (const file of files) await utimes(join(cacheDir, file), 1, 1);
    expect(await answers(dir.path, "HEAD", changed, cacheDir)).toEqual(cold);
    for (const file of files)
      expect((await stat(join(cacheDir, file))).mtimeMs).toBe(1000);
  });

  test("returns the same as a new index after each of many edits to one file", async () => {
    await using dir = await repository();
    const cacheDir = join(dir.path, ".git", "skein");
    const changed = ["packages/b/src/x.ts"];
    const file = join(dir.path, "packages/b/src/x.ts");
    const edges: unknown[] = [];
    for (const write of [
      () => writeFile(file, 'import "../../a";'),
      () => writeFile(file, "import 'nothing';"),
      () => writeFile(file, "../../a"),
      () => rm(file).then(() => symlink("../../a", file)),
      () => rm(file),
    ]) {
      await write();
      const cold = await answers(dir.path, "HEAD", changed);
      for (let time = 0; time < 2; time++)
        expect(await answers(dir.path, "HEAD", changed, cacheDir)).toEqual(
          cold,
        );
      edges.push(cold.edges);
    }
    const one = ['["a","b",false]'];
    const both = [...one, '["b","a",false]'];
    expect(edges).toEqual([both, one, one, both, one]);
  });

  test("several processes can write it at once, and leave no temporary files", async () => {
    await using dir = await repository();
    const cacheDir = join(dir.path, ".git", "skein");
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        answers(dir.path, i % 2 === 0 ? "HEAD" : "HEAD~1", [], cacheDir),
      ),
    );
    expect(all[0]).toEqual(await answers(dir.path, "HEAD", []));
    expect(all[1]).toEqual(await answers(dir.path, "HEAD~1", []));
    for (const one of all.slice(2)) expect(all).toContainEqual(one);
    expect((await readdir(cacheDir)).sort()).toEqual([
      "references-edges.json",
      "references-recent.json",
      "references-rows.bin",
      "references.bin",
    ]);
  });

  test("returns the references of a file's path in this repository, if another repository has the file at another path", async () => {
    await using one = await tempDir();
    await using other = await tempDir();
    const text = "import(`../../${x}`);";
    const manifests = Object.fromEntries(
      PACKAGES.map((name) => [`packages/${name}/package.json`, "{}"]),
    );
    buildHistory(one.path, [{ files: { ...manifests, "x.ts": text } }]);
    buildHistory(other.path, [
      { files: { ...manifests, "packages/a/src/x.ts": text } },
    ]);
    const cacheDir = join(one.path, ".git", "skein");
    await answers(one.path, "HEAD", [], cacheDir);
    expect(await answers(other.path, "HEAD", [], cacheDir)).toEqual(
      await answers(other.path, "HEAD", []),
    );
  });

  test("isn't used if it can't be written", async () => {
    await using dir = await repository();
    await writeFile(join(dir.path, "file"), "");
    expect(
      await answers(dir.path, "HEAD", [], join(dir.path, "file", "skein")),
    ).toEqual(await answers(dir.path, "HEAD", []));
  });

  test("in a clone without blobs, fetches all missing files in one request, and is the same as in a full clone", async () => {
    await using dir = await repository();
    await using clone = await tempDir();
    const path = cloneWithoutBlobs(dir.path, clone.path);
    const packs = () => readdir(join(path, ".git/objects/pack"));
    const before = (await packs()).length;
    const cacheDir = join(path, ".git", "skein");
    const graph = await read(path, "HEAD", undefined, cacheDir);
    expect(graph.unreadable).toEqual([]);
    expect(graph.edges().edges).toEqual(
      (await read(dir.path, "HEAD", undefined)).edges().edges,
    );
    // A pack, its index and its promise; git adds the reverse index from 2.41 on.
    const more = (await packs()).filter((name) => name.endsWith(".pack"));
    expect({ before: before > 0, packs: more.length }).toEqual({
      before: true,
      packs: 2,
    });
    expect(await readdir(join(path, ".git"))).toContain("skein");
  });

  test("in a clone without blobs or remote, reports the unreadable files", async () => {
    await using dir = await repository();
    await using clone = await tempDir();
    const path = cloneWithoutBlobs(dir.path, clone.path);
    gitIn(path, "remote", "set-url", "origin", `${clone.path}/gone`);
    const cacheDir = join(path, ".git", "skein");
    const graph = await read(path, "HEAD", undefined, cacheDir);
    expect(graph.unreadable).toEqual([
      "packages/a/package.json",
      "packages/a/src/x.ts",
      "packages/b/package.json",
      "packages/b/src/x.ts",
    ]);
  });

  test("lacks files that git doesn't have, until it has them", async () => {
    await using dir = await repository();
    await using clone = await tempDir();
    const path = cloneWithoutBlobs(dir.path, clone.path);
    const fetched = ["a/package.json", "b/package.json", "b/src/x.ts"];
    for (const file of fetched) gitIn(path, "show", `HEAD:packages/${file}`);
    const cacheDir = join(path, ".git", "skein");
    const remote = gitIn(path, "remote", "get-url", "origin").trim();
    gitIn(path, "remote", "set-url", "origin", `${clone.path}/gone`);
    const partial = await answers(path, "HEAD", [], cacheDir);
    expect(partial).toMatchObject({
      unreadable: ["packages/a/src/x.ts"],
      edges: ['["b","a",false]'],
    });

    // Everything that the index contains may be gone.
    await rm(join(path, ".git/objects"), { recursive: true });
    const again = join(clone.path, "again");
    await mkdir(again);
    const lost = cloneWithoutBlobs(dir.path, again);
    await rename(join(lost, ".git/objects"), join(path, ".git/objects"));
    expect(await answers(path, "HEAD", [], cacheDir)).toEqual(partial);

    gitIn(path, "remote", "set-url", "origin", remote);
    const whole = await answers(dir.path, "HEAD", []);
    expect(await answers(path, "HEAD", [], cacheDir)).toEqual(whole);
    expect(await answers(path, "HEAD", [], cacheDir)).toEqual(whole);
    expect(whole).not.toEqual(partial);
  });
});

function cloneWithoutBlobs(from: string, to: string): string {
  gitIn(from, "config", "uploadpack.allowFilter", "true");
  const flags = ["--quiet", "--filter=blob:none", "--no-checkout"];
  gitIn(to, "clone", ...flags, `file://${from}`, "c");
  return join(to, "c");
}

async function repository() {
  const dir = await tempDir();
  buildHistory(dir.path, [
    {
      files: {
        "packages/a/package.json": "{}",
        "packages/b/package.json": "{}",
        "packages/a/src/x.ts": 'import "b";',
        "packages/b/src/x.ts": "",
      },
    },
    {
      files: {
        "packages/b/src/x.ts": 'import "../../a/src/x.js";',
        "packages/a/src/x.ts": 'import "b/x";',
      },
    },
  ]);
  return dir;
}

function read(
  dir: string,
  commit: string,
  changed: readonly string[] | undefined,
  cacheDir?: string,
): Promise<ReferenceGraph> {
  return readReferences({
    git: openGit({ cwd: dir, env: gitTestEnv }),
    tree: gitIn(dir, "rev-parse", `${commit}^{tree}`).trim(),
    workspaces,
    asides: {
      key: ".test.ts",
      isTest: (path) => path.endsWith(".test.ts"),
      isPage: () => false,
    },
    ...(changed && { workingTree: { dir, changed } }),
    ...(cacheDir !== undefined && { cacheDir }),
  });
}

/** Everything a graph can be asked, in an order that does not depend on where the facts came from. */
async function answers(
  dir: string,
  commit: string,
  changed: readonly string[] | undefined,
  cacheDir?: string,
) {
  const graph = await read(dir, commit, changed, cacheDir);
  const sorted = (list: readonly unknown[]) =>
    list.map((item) => JSON.stringify(item)).sort();
  return {
    crossings: sorted(graph.crossings()),
    edges: sorted(
      graph.edges().edges.map(({ from, to, testOnly }) => [from, to, testOnly]),
    ),
    tests: PATHS.map((path) => graph.isAside(path)),
    refersTo: PATHS.map((path) => sorted(graph.refersTo(path))),
    importers: PATHS.map((path) => sorted(graph.importersOf(path))),
    unparsed: sorted(graph.unparsed),
    unreadable: graph.unreadable,
  };
}
