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
import { replaceFile } from "./replace-file.js";

const module = new URL("./replace-file.js", import.meta.url).href;

describe("a file is replaced", () => {
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
  ])("with its permissions %o, whatever the umask (%o)", (mode, umask) => {
    const file = join(dir, "file");
    writeFileSync(file, "old");
    chmodSync(file, mode);
    // This needs its own process, because the umask applies to a whole process.
    const program = `import { replaceFile } from ${JSON.stringify(module)};
      process.umask(${umask});
      await replaceFile(${JSON.stringify(file)}, "new", ${JSON.stringify(`${file}.draft`)});`;
    execFileSync(process.execPath, ["--input-type=module", "-e", program]);
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o7777).toBe(mode);
    expect(readdirSync(dir)).toEqual(["file"]);
    rmSync(file);
  });

  test("or made, where there was none", async () => {
    const file = join(dir, "fresh");
    await replaceFile(file, new Uint8Array([97]), `${file}.draft`);
    expect(readFileSync(file, "utf8")).toBe("a");
    rmSync(file);
  });

  test("over a draft that a killed process left", async () => {
    const file = join(dir, "fresh");
    writeFileSync(`${file}.draft`, "half");
    await replaceFile(file, "whole", `${file}.draft`, { sync: true });
    expect(readFileSync(file, "utf8")).toBe("whole");
    expect(readdirSync(dir)).toEqual(["fresh"]);
    rmSync(file);
  });

  test("or left as it is, and no draft stays", async () => {
    const file = join(dir, "folder");
    mkdirSync(file);
    writeFileSync(join(file, "inside"), "");
    await expect(
      replaceFile(file, "new", `${file}.draft`),
    ).rejects.toMatchObject({ code: "EISDIR" });
    expect(readdirSync(dir)).toEqual(["folder"]);
  });
});
