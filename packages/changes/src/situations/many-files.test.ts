import { expect, test } from "@jest/globals";
import { buildHistory, tempDir } from "@skein/testing";
import { changesetOf } from "./change-lines.test.kit.js";

test("50,000 changed files are listed", async () => {
  await using dir = await tempDir();
  const files = Object.fromEntries(
    Array.from({ length: 50_000 }, (_, index) => [
      `packages/${index % 500}/src/file-${index}.ts`,
      "1",
    ]),
  );
  buildHistory(dir.path, [
    { files: { a: "1" } },
    { branch: "work", from: "main", files },
  ]);
  const { changes } = await changesetOf(dir.path, { head: "work" });
  expect(new Set(changes.map(({ path }) => path))).toEqual(
    new Set(Object.keys(files)),
  );
});
