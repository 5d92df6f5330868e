import { expect, test } from "@jest/globals";
import { readdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir, writeFiles } from "@skein/testing";
import { openCachedIndex } from "./trusted-index.js";

test("an index stays only if main has recorded its digest, other files are deleted, and a new digest is returned after many changes", async () => {
  await using temp = await tempDir();
  const open = () => openCachedIndex(join(temp.path, "index"));
  const write = (files: Readonly<Record<string, string>>) =>
    writeFiles(join(temp.path, "index"), files);
  expect(await open().keepTrusted([])).toBe(false);
  expect(await open().newDigest()).toBeUndefined();

  await write({ "references.bin": "table", "references-recent.json": "1" });
  const digest = (await open().newDigest()) ?? "";
  expect(digest).toMatch(/^[0-9a-f]{64}$/);
  await write({ "graph.json": "poison", "fingerprints/a": "poison" });
  const kept = open();
  expect(await kept.keepTrusted(["0", digest])).toBe(true);
  expect((await readdir(kept.folder)).sort()).toEqual([
    "references-recent.json",
    "references.bin",
  ]);
  await write({ "references-recent.json": "1".repeat(200_000) });
  expect(await kept.newDigest()).toBeUndefined();
  await write({ "references-recent.json": "1".repeat(300_000) });
  const grown = await kept.newDigest();
  expect(grown).not.toBe(digest);
  await write({ "references.bin": "other", "references-recent.json": "1" });
  expect(await kept.newDigest()).toMatch(/^[0-9a-f]{64}$/);

  // An index that main has not recorded is deleted, and so is a link in the place of a file.
  expect(await open().keepTrusted([digest])).toBe(false);
  expect(await readdir(kept.folder)).toEqual([]);
  await writeFile(join(temp.path, "outside"), "table");
  await symlink("../outside", join(kept.folder, "references.bin"));
  expect(await open().newDigest()).toBeUndefined();
  expect(await open().keepTrusted([digest])).toBe(false);
  expect(await readdir(temp.path)).toContain("outside");
});
