import { execFileSync } from "node:child_process";
import {
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Failure, readRegularFile, readRegularText } from "./index.js";

describe("only a regular file is opened and read", () => {
  let dir = "";
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), "skein-regular-file-"));
    writeFileSync(join(dir, "file"), "é\n");
    symlinkSync("file", join(dir, "link"));
    execFileSync("mkfifo", [join(dir, "pipe")]);
    symlinkSync("/dev/zero", join(dir, "zero"));
    writeFileSync(join(dir, "large"), "");
    // The file is sparse, so it takes no space.
    truncateSync(join(dir, "large"), 600 * 1024 * 1024);
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  test.each(["file", "link"])("%s", async (name) => {
    const file = join(dir, name);
    expect(await readRegularFile(file)).toEqual(Buffer.from("é\n"));
    expect(await readRegularText(file)).toBe("é\n");
  });

  test.each([
    ["pipe", "this is a pipe, a device or a socket, not a file"],
    ["zero", "this is a pipe, a device or a socket, not a file"],
    [
      "large",
      "this file is too large: 600 MiB, and Node reads at most 512 MiB as text",
    ],
  ])("%s is refused", async (name, message) => {
    const file = join(dir, name);
    const refusal = await readRegularText(file).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(Failure);
    expect(refusal).toMatchObject({ message, place: { file }, exitCode: 3 });
  });

  test.each([
    ["nothing", "ENOENT"],
    [".", "EISDIR"],
  ])("%s fails as it does for Node", async (name, code) => {
    await expect(readRegularFile(join(dir, name))).rejects.toMatchObject({
      code,
    });
  });
});
