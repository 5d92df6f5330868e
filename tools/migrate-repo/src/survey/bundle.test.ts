import { join } from "node:path";
import { readFile, writeFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  FINE,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
} from "../migrate.test.kit.js";

test("a git bundle is a source, and a newer one under its name syncs", async () => {
  await using pair = await buildPair([
    { files: libFiles, tags: ["v1.0.0"] },
    { branch: "side", from: "main", files: { "side.js": "1\n" } },
  ]);
  const { source, target, dir } = pair;
  const bundle = join(dir, "lib.bundle");
  gitIn(source, "bundle", "create", "--quiet", bundle, "--all");
  expect(
    await migrate(target, ["add", "../lib.bundle", ...historyOnly]),
  ).toMatchObject(FINE);
  expect(gitIn(target, "tag").trim()).toBe("@acme/lib@1.0.0");
  expect(gitIn(target, "ls-files", "packages/lib")).toBe(
    "packages/lib/index.js\npackages/lib/package.json\n",
  );
  await writeFile(join(source, "new.js"), "1\n");
  gitIn(source, "add", "--all");
  gitIn(source, "commit", "--quiet", "-m", "new");
  gitIn(source, "bundle", "create", "--quiet", bundle, "main");
  expect(await migrate(target, ["sync", "lib"])).toMatchObject({ code: 0 });
  expect(gitIn(target, "ls-files", "packages/lib/new.js")).not.toBe("");
  expect(await migrate(target, ["verify", "lib"])).toMatchObject({ code: 0 });
});

test("a bundle that needs other commits, or is truncated, is refused", async () => {
  await using pair = await buildPair([{ files: libFiles }, {}]);
  const { source, target, dir } = pair;
  const bundle = join(dir, "lib.bundle");
  gitIn(source, "bundle", "create", "--quiet", bundle, "main^..main");
  const before = await fingerprint(target);
  const partial = await migrate(target, ["add", bundle]);
  expect(partial.code).toBe(3);
  expect(partial.stderr).toMatch(
    /^migrate-repo: cannot read the source .*lib\.bundle: .+\nhint: .+\n$/,
  );
  gitIn(source, "bundle", "create", "--quiet", bundle, "main");
  await writeFile(bundle, (await readFile(bundle)).subarray(0, -30));
  const cut = await migrate(target, ["add", bundle]);
  expect(cut.code).toBe(3);
  expect(cut.stderr).toMatch(
    /^migrate-repo: cannot read the source .*lib\.bundle: .+\nhint: .+\n$/,
  );
  expect(await fingerprint(target)).toBe(before);
});
