import { expect, test } from "@jest/globals";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@skein/testing";
import { writeText } from "./write-text.js";

test("a file is written with the folders that it needs, or the user learns why not", async () => {
  await using dir = await tempDir("write-text-");
  const file = await writeText(dir.path, "out/a.txt", "1");
  expect(file).toBe(join(dir.path, "out/a.txt"));
  expect(await readFile(file, "utf8")).toBe("1");
  for (const [name, why] of [
    ["out", "it is a folder"],
    ["out/a.txt/b/c.txt", "a part of its path is a file"],
  ] as const)
    await expect(writeText(dir.path, name, "2")).rejects.toMatchObject({
      message: `cannot be written: ${why}`,
      place: { file: name },
      exitCode: 2,
    });
  expect(await readFile(file, "utf8")).toBe("1");
});
