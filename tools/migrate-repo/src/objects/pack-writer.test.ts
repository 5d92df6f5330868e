import { join } from "node:path";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { openGit, openObjects } from "@skein/git";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { openPackWriter } from "./pack-writer.js";
import { storeObjects } from "./store-objects.js";

const contents = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ minLength: 90, maxLength: 5000 }),
    fc.nat(70_000).map((length) => new Uint8Array(length)),
  ),
  { minLength: 1, maxLength: 20 },
);

test("git reads the packed objects and computes the same ids", async () => {
  await using dir = await tempDir();
  buildHistory(dir.path, [{ files: { a: "1" } }]);
  const git = openGit({ cwd: dir.path, env: gitTestEnv });
  const place = {
    git,
    objects: join(dir.path, ".git/objects"),
    objectFormat: "sha1",
  } as const;
  await fc.assert(
    fc.asyncProperty(contents, fc.boolean(), async (all, loose) => {
      const blobs = all.map((bytes) => Buffer.from(bytes));
      const pack = openPackWriter(place);
      const ids = blobs.map((content) => pack.add("blob", content));
      await pack.flush();
      if (loose) {
        await pack[Symbol.asyncDispose]();
        await storeObjects(
          git,
          "sha1",
          blobs.map((content) => ({ type: "blob", content })),
        );
      } else await pack.finish();
      using objects = openObjects(git);
      for (const [index, content] of blobs.entries())
        expect(await objects.read(ids[index] ?? "")).toEqual({
          id: ids[index],
          type: "blob",
          content,
        });
    }),
    { numRuns: 15 },
  );
  expect(gitIn(dir.path, "fsck", "--strict", "--no-dangling")).toBe("");
});

test("an empty pack creates no file", async () => {
  await using dir = await tempDir();
  gitIn(dir.path, "init", "--quiet", "--object-format=sha256");
  const pack = openPackWriter({
    git: openGit({ cwd: dir.path, env: gitTestEnv }),
    objects: join(dir.path, ".git/objects"),
    objectFormat: "sha256",
  });
  await pack.finish();
  expect(gitIn(dir.path, "count-objects", "-v")).toContain(
    "count: 0\nsize: 0\nin-pack: 0\npacks: 0\n",
  );
});
