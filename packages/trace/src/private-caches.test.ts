import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import { withPrivateCaches } from "./private-caches.js";

const SWITCHES = {
  BABEL_DISABLE_CACHE: "1",
  NODE_DISABLE_COMPILE_CACHE: "1",
  TSX_DISABLE_CACHE: "1",
  UV_USE_IO_URING: "0",
};

test("caches are empty private folders, and installed programs stay available", async () => {
  await using dir = await tempDir();
  const given = {
    ...{ A: "1", HOME: "/home/me", TMPDIR: "/t", NODE_COMPILE_CACHE: "/c" },
    PLAYWRIGHT_BROWSERS_PATH: "/browsers",
  };
  const { NODE_COMPILE_CACHE, ...kept } = given;
  expect(NODE_COMPILE_CACHE).toBe("/c");
  expect(withPrivateCaches(given, dir.path)).toEqual({
    ...kept,
    ...SWITCHES,
    TMPDIR: join(dir.path, "0"),
    XDG_CACHE_HOME: join(dir.path, "1"),
    CACHE_DIR: join(dir.path, "2"),
    SKEIN_CACHE_DIR: join(dir.path, "3"),
    COREPACK_HOME: "/home/me/.cache/node/corepack",
    CYPRESS_CACHE_FOLDER: "/home/me/.cache/Cypress",
  });
  expect(readdirSync(dir.path).sort()).toEqual(["0", "1", "2", "3"]);
  await using other = await tempDir();
  const { COREPACK_HOME } = withPrivateCaches(
    { XDG_CACHE_HOME: "/x" },
    other.path,
  );
  expect(COREPACK_HOME).toBe("/x/node/corepack");
});
