import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { replaceFile, replaceFilesBy } from "./replace-file.js";

const module = new URL("./replace-file.js", import.meta.url).href;

describe("replaceFile", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "skein-replace-file-"));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test.each([
    [0o664, 0o022],
    [0o755, 0o077],
    [0o600, 0o000],
    [0o444, 0o022],
  ])("preserves the permissions %o with the umask %o", (mode, umask) => {
    const file = join(dir, "file");
    writeFileSync(file, "old");
    chmodSync(file, mode);
    // This needs its own process, because the umask applies to a whole process.
    const program = `import { replaceFile, replaceFilesBy } from ${JSON.stringify(module)};
      process.umask(${umask});
      await replaceFile(${JSON.stringify(file)}, "new", ${JSON.stringify(`${file}.draft`)});`;
    execFileSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o7777).toBe(mode);
    expect(readdirSync(dir)).toEqual(["file"]);
    rmSync(file);
  });

  test("creates a missing file", async () => {
    const file = join(dir, "fresh");
    await replaceFile(file, new Uint8Array([97]), `${file}.draft`);
    expect(readFileSync(file, "utf8")).toBe("a");
    rmSync(file);
  });

  test("replaces the draft of a killed process", async () => {
    const file = join(dir, "fresh");
    writeFileSync(`${file}.draft`, "half");
    await replaceFile(file, "whole", `${file}.draft`, { sync: true });
    expect(readFileSync(file, "utf8")).toBe("whole");
    expect(readdirSync(dir)).toEqual(["fresh"]);
    rmSync(file);
  });

  test("leaves the file unchanged on failure, and removes the draft", async () => {
    const file = join(dir, "folder");
    mkdirSync(file);
    writeFileSync(join(file, "inside"), "");
    await expect(
      replaceFile(file, "new", `${file}.draft`),
    ).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(dir)).toEqual(["folder"]);
  });
});

describe("replaceFilesBy", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "skein-replace-files-"));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test("replaces all files, and preserves the permissions of those that existed", async () => {
    const old = join(dir, "old");
    const fresh = join(dir, "fresh");
    writeFileSync(old, "1");
    chmodSync(old, 0o640);
    await replaceFilesBy([old, fresh], (draftOf) => {
      for (const file of [old, fresh]) writeFileSync(draftOf(file), "2");
      return Promise.resolve();
    });
    expect([old, fresh].map((file) => readFileSync(file, "utf8"))).toEqual([
      "2",
      "2",
    ]);
    expect(statSync(old).mode & 0o7777).toBe(0o640);
    expect(readdirSync(dir)).toEqual(["fresh", "old"]);
    rmSync(old);
    rmSync(fresh);
  });

  test("leaves all files unchanged if one isn't written, and removes the drafts", async () => {
    const files = [join(dir, "a"), join(dir, "b")] as const;
    writeFileSync(files[0], "1");
    writeFileSync(files[1], "1");
    await expect(
      replaceFilesBy(files, (draftOf) => {
        writeFileSync(draftOf(files[0]), "2");
        return Promise.resolve();
      }),
    ).rejects.toMatchObject({ code: "ENOENT" });
    expect(files.map((file) => readFileSync(file, "utf8"))).toEqual(["1", "1"]);
    expect(readdirSync(dir)).toEqual(["a", "b"]);
  });
});
