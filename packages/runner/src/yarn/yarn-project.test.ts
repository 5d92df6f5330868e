import { expect, test } from "@jest/globals";
import { json, tempDir, writeFiles } from "@skein/testing";
import { openYarnProject } from "./yarn-project.js";

test("scripts get no credentials of a shared cache, and each gets the folder of its own cache", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, { "package.json": json({ name: "root" }) });
  const { env } = await openYarnProject({
    root: dir.path,
    env: {
      SKEIN_CACHE_DIR: "/cache",
      SKEIN_CACHE_SIZE: "1GiB",
      SKEIN_CACHE_URL: "https://cache.example",
      SKEIN_CACHE_TOKEN: "t",
      SKEIN_CACHE_TEAM: "team",
      SKEIN_CACHE_SIGNATURE_KEY: "k",
      skein_cache_token: "t",
      SKEIN_CACHE: "x",
    },
    node: process,
  });
  expect(env).toEqual({
    SKEIN_CACHE_DIR: "/cache",
    SKEIN_CACHE_SIZE: "1GiB",
    SKEIN_CACHE: "x",
  });
});

test("files may begin with a byte order mark", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    "package.json": `\uFEFF${json({ name: "root", packageManager: "yarn@4.1.0" })}`,
    ".yarnrc.yml": "\uFEFFnodeLinker: node-modules\n",
    ".pnp.cjs": "",
  });
  const { linker } = await openYarnProject({
    root: dir.path,
    env: {},
    node: process,
  });
  expect(linker).toBe("node-modules");
});
