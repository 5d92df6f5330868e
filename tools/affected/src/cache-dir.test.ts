import { expect, test } from "@jest/globals";
import { cacheDirOf } from "./cache-dir.js";

test.each([
  [undefined, "/r/.git/skein"],
  // Workflows leave a variable out this way. Otherwise, Skein would write into the current folder.
  ["", "/r/.git/skein"],
  ["/cache", "/cache"],
])("with SKEIN_CACHE_DIR=%j, it is %s", (SKEIN_CACHE_DIR, dir) => {
  expect(cacheDirOf({ SKEIN_CACHE_DIR }, { commonDir: "/r/.git" })).toBe(dir);
});
