import {
  chmod,
  lstat,
  mkdir,
  readFile,
  readdir,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import { suiteDir, writeFiles } from "@skein/testing";
import { collectOutputs } from "./collect-outputs.js";
import type { OutputItem } from "./manifest.js";
import { outputRules } from "./output-rules.js";
import { restoreOutputs } from "./restore-outputs.js";
import { Store } from "./store.js";

const dir = await suiteDir(afterAll);
let folder: string;
let store: Store;
let made = 0;
beforeEach(async () => {
  folder = join(dir, String(++made), "package");
  await mkdir(folder, { recursive: true });
  store = new Store({
    dir: join(folder, "../cache"),
    key: undefined,
    now: () => 1,
    unique: () => `draft${String(++made)}`,
  });
});

const rules = outputRules(
  ["dist/**", "!dist/tmp/**"],
  new Set(["dist/own.txt"]),
);

const restore = (items: readonly OutputItem[]) =>
  restoreOutputs({
    folder,
    items,
    rules,
    store,
    stage: join(folder, "../stage"),
  });

async function collected(): Promise<readonly OutputItem[]> {
  const result = await collectOutputs(folder, rules, store);
  if (result.kind === "refused") throw new Error(result.why);
  return result.items;
}

/** Returns everything below the package: permissions, targets, contents. */
async function tree(path = "."): Promise<string[]> {
  const names = (await readdir(join(folder, path))).sort();
  const lines = await Promise.all(
    names.map(async (name) => {
      const at = path === "." ? name : `${path}/${name}`;
      const stats = await lstat(join(folder, at));
      if (stats.isSymbolicLink())
        return [`${at} -> ${await readlink(join(folder, at))}`];
      if (stats.isDirectory()) return [`${at}/`, ...(await tree(at))];
      const mode = (stats.mode & 0o7777).toString(8);
      return [`${at} ${mode} ${await readFile(join(folder, at), "utf8")}`];
    }),
  );
  return lines.flat();
}

async function build(): Promise<void> {
  await writeFiles(folder, {
    "src/a.js": "source",
    "dist/a.js": "made",
    "dist/own.txt": "mine",
    "dist/tmp/x": "temporary",
    "dist/sub/run.sh": { executable: "#!/bin/sh\n" },
    "dist/link": { symlink: "sub/run.sh" },
    "dist/dangling": { symlink: "./none" },
    "dist/to-source": { symlink: "../src" },
  });
  await mkdir(join(folder, "dist/empty"));
  await chmod(join(folder, "dist/a.js"), 0o600);
}

const BUILT = [
  "dist/",
  "dist/a.js 600 made",
  "dist/dangling -> ./none",
  "dist/empty/",
  "dist/link -> sub/run.sh",
  "dist/own.txt 644 mine",
  "dist/sub/",
  "dist/sub/run.sh 755 #!/bin/sh\n",
  "dist/tmp/",
  "dist/tmp/x 644 temporary",
  "dist/to-source -> ../src",
  "src/",
  "src/a.js 644 source",
];

test("outputs are restored exactly: contents, permissions, symlinks and empty folders", async () => {
  await build();
  const items = await collected();
  for (const path of ["a.js", "sub", "link", "dangling", "to-source", "empty"])
    await rm(join(folder, "dist", path), { recursive: true });
  expect(await restore(items)).toEqual({ kind: "restored" });
  expect(await tree()).toEqual(BUILT);
  expect(await readdir(join(folder, ".."))).toEqual(["cache", "package"]);
});

test("a file is deleted if outputs need a folder in its place", async () => {
  await build();
  const items = await collected();
  await rm(join(folder, "dist/sub"), { recursive: true });
  await writeFile(join(folder, "dist/sub"), "");
  expect(await restore(items)).toEqual({ kind: "restored" });
  expect(await tree()).toEqual(BUILT);
});

test("outputs that the manifest lacks are deleted; sources and files that no glob matches are kept", async () => {
  await build();
  const items = await collected();
  await writeFiles(folder, {
    "dist/stale.js": "",
    "dist/old/deep/stale.js": "",
    "dist/tmp/y": "other",
    "dist/a.js": "edited",
    "dist/empty/full.js": "",
  });
  await rm(join(folder, "dist/sub"), { recursive: true });
  await symlink("old", join(folder, "dist/sub"));
  await rm(join(folder, "dist/link"));
  await mkdir(join(folder, "dist/link"));
  await writeFile(join(folder, "dist/own.txt"), "mine, edited");
  expect(await restore(items)).toEqual({ kind: "restored" });
  expect(await tree()).toEqual(
    [
      ...BUILT.map((line) =>
        line.startsWith("dist/own") ? `${line}, edited` : line,
      ),
      "dist/tmp/y 644 other",
    ].sort((a, b) =>
      (a.split(" ")[0] ?? "") < (b.split(" ")[0] ?? "") ? -1 : 1,
    ),
  );
});

describe("nothing changes if", () => {
  test.each([
    ["a content is missing", (blob: string) => rm(blob)],
    ["a content is cut off", (blob: string) => truncate(blob, 1)],
    ["a content is replaced", (blob: string) => writeFile(blob, "evil")],
  ])("%s", async (_, damage) => {
    await build();
    const items = await collected();
    const item = items.find(({ path }) => path === "dist/a.js");
    if (item?.kind !== "file") throw new Error("dist/a.js was not collected");
    await damage(store.blob(item.hash));
    await writeFiles(folder, { "dist/a.js": "edited", "dist/stale.js": "" });
    const before = await tree();
    expect(await restore(items)).toEqual({
      kind: "damaged",
      path: "dist/a.js",
    });
    expect(await tree()).toEqual(before);
  });

  test.each<[string, OutputItem, string]>([
    [
      "a path isn't an output",
      { kind: "folder", path: "src/x" },
      "src/x is not an output of this script",
    ],
    [
      "a path is a source",
      { kind: "link", path: "dist/own.txt", target: "a" },
      "dist/own.txt is not ignored by git",
    ],
    [
      "a parent is a symlink that no glob matches",
      { kind: "link", path: "dist/tmp/../a", target: "a" },
      "dist/tmp/../a is not an output of this script",
    ],
    [
      "a folder with other files is in the way",
      { kind: "link", path: "dist", target: "src" },
      "dist is a folder",
    ],
  ])("%s", async (_, item, why) => {
    await build();
    const before = await tree();
    expect(await restore([item])).toEqual({ kind: "refused", why });
    expect(await tree()).toEqual(before);
  });

  test("a folder of outputs is a symlink that leads outside", async () => {
    await build();
    const items = await collected();
    await rm(join(folder, "dist"), { recursive: true });
    await mkdir(join(folder, "../elsewhere"));
    await symlink("../elsewhere", join(folder, "dist"));
    // The link itself is one of the outputs that are replaced. The restore ignores its target.
    expect(await restore(items)).toEqual({ kind: "restored" });
    expect(await readdir(join(folder, "../elsewhere"))).toEqual([]);
    expect((await lstat(join(folder, "dist"))).isDirectory()).toBe(true);
  });
});

describe("outputs are not stored if", () => {
  test.each<[string, () => Promise<unknown>, string]>([
    [
      "a program is setuid",
      () => chmod(join(folder, "dist/sub/run.sh"), 0o4755),
      "dist/sub/run.sh has more than plain permissions (setuid, setgid or sticky)",
    ],
    [
      "a symlink leaves the package",
      () => symlink("../../x", join(folder, "dist/out")),
      "the symlink dist/out leaves the package",
    ],
  ])("%s", async (_, change, why) => {
    await build();
    await change();
    expect(await collectOutputs(folder, rules, store)).toEqual({
      kind: "refused",
      why,
    });
  });
});
