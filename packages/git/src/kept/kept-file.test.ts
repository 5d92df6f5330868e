import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { readKept, writeKept } from "./kept-file.js";

test("bytes are read as they were written, from a folder that contains nothing else", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "new/folder/kept.bin");
  for (const text of ["one", "another one"]) {
    writeKept(file, Buffer.from(text));
    expect(readKept(file)?.toString()).toBe(text);
    expect(await readdir(dirname(file))).toEqual(["kept.bin"]);
  }
});

test("a damaged or shortened file counts as missing", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "kept.bin");
  writeKept(file, Buffer.from("content"));
  const whole = await readFile(file);
  const damaged = Buffer.from(whole);
  damaged.writeUInt8(0, whole.length - 1);
  for (const bytes of [damaged, whole.subarray(0, -1), Buffer.alloc(3)]) {
    await writeFile(file, bytes);
    expect(readKept(file)).toBeUndefined();
  }
  await writeFile(file, whole);
  expect(readKept(file)?.toString()).toBe("content");
});

test("if the file can't be replaced, nothing is cached and nothing stays behind", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "kept.bin");
  await mkdir(join(file, "in the way"), { recursive: true });
  writeKept(file, Buffer.from("content"));
  expect(await readdir(dir.path)).toEqual(["kept.bin"]);
  await writeFile(join(dir.path, "a file"), "");
  writeKept(join(dir.path, "a file/kept.bin"), Buffer.from("content"));
  expect(await readdir(dir.path)).toEqual(["a file", "kept.bin"]);
});
