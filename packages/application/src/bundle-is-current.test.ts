import { copyFile, mkdir, utimes } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { tempDir, writeFiles } from "@skein/testing";
import { expect, test } from "@jest/globals";

const source = fileURLToPath(
  new URL("../../../scripts/release/bundle-is-current.cjs", import.meta.url),
);

test.each([
  ["nothing", true],
  ["packages/git/dist/.tsbuildinfo", false],
  ["tools/affected/dist/.tsbuildinfo", false],
  ["tools/affected/package.json", false],
  ["tools/ci-dispatch/dist/.tsbuildinfo", true],
  ["scripts/release/join-chunks.mjs", false],
  ["yarn.lock", false],
])(
  "a bundle after which %s changed is current: %j",
  async (file, isCurrent) => {
    await using dir = await tempDir();
    const made = "tools/affected/bundle/sbom.cdx.json";
    const script = "scripts/release/bundle-is-current.cjs";
    const files = [
      "packages/git/dist/.tsbuildinfo",
      "scripts/release/join-chunks.mjs",
      "tools/affected/dist/.tsbuildinfo",
      "tools/affected/package.json",
      "tools/ci-dispatch/dist/.tsbuildinfo",
      "yarn.lock",
      made,
    ];
    await writeFiles(
      dir.path,
      Object.fromEntries(files.map((each) => [each, ""])),
    );
    await mkdir(join(dir.path, "packages/without-modules"));
    await copyFile(source, join(dir.path, script));
    for (const each of [...files, script])
      await utimes(join(dir.path, each), 1000, each === file ? 3000 : 1000);
    await utimes(join(dir.path, made), 2000, 2000);

    const load = createRequire(join(dir.path, "x.cjs"));
    const bundleIsCurrent = load(join(dir.path, script)) as (
      tool: string,
    ) => boolean;

    expect(bundleIsCurrent("tools/affected")).toBe(isCurrent);
    expect(bundleIsCurrent("tools/without-a-bundle")).toBe(false);
  },
);
