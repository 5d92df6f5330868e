import { expect, test } from "@jest/globals";
import { findChromium } from "./chromium.js";
import { tempDir, writeFiles } from "./temp-dir.js";

test("Chromium is the one that is named, else the first on PATH; none is a failure in CI", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    "a/chromium": "not executable",
    "b/google-chrome": { executable: "#!/bin/sh\n" },
  });
  const PATH = `${dir.path}/a:${dir.path}/b`;
  expect(findChromium({ PATH })).toBe(`${dir.path}/b/google-chrome`);
  const CHROMIUM_PATH = `${dir.path}/b/google-chrome`;
  expect(findChromium({ PATH: "", CHROMIUM_PATH })).toBe(CHROMIUM_PATH);
  expect(() => findChromium({ PATH: "", CI: "true" })).toThrow(
    "No Chromium was found (CHROMIUM_PATH, or chromium on PATH)",
  );
  expect(() => findChromium({ PATH, CHROMIUM_PATH: "/none", CI: "1" })).toThrow(
    "No Chromium was found",
  );
});
