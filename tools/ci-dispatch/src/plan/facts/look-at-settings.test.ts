import { expect, test } from "@jest/globals";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { json, tempDir, writeFiles } from "@skein/testing";
import { JEST } from "../../runners/jest.js";
import { lookAtSettings } from "./look-at-settings.js";

test("settings are read where Jest finds them, with the files that they load, and never outside of the workspace", async () => {
  await using temp = await tempDir();
  const root = join(temp.path, "ws");
  await writeFiles(temp.path, {
    "outside.js": "bail: true",
    "ws/jest.preset.js": 'module.exports = { runner: "mine" };',
    "ws/shared/jest-preset.json": json({ globalTeardown: "./end.js" }),
    "ws/shared/strict.cjs": "module.exports = { bail: 1 };",
    "ws/manifest/package.json": json({
      name: "globalTeardown",
      jest: { preset: "@acme/shared" },
    }),
    "ws/scripted/package.json": json({ scripts: { bail: "x" } }),
    "ws/broken/package.json": "{ bail: true",
    "ws/ts/jest.config.ts":
      'import strict from "@acme/shared/strict";\nexport default { ...strict, preset: "<rootDir>/../jest.preset.js" };',
    "ws/circle/jest.config.js": 'require("./jest.config"); require("./b.js");',
    "ws/circle/b.js": 'require("./jest.config.js"); require("../../outside");',
    "ws/linked/package.json": json({}),
  });
  await symlink(
    join(temp.path, "outside.js"),
    join(root, "linked/jest.config.js"),
  );
  const folders = new Map([["@acme/shared", "shared"]]);
  const look = (dir: string, command = "jest") =>
    lookAtSettings({ root, folders }, JEST, { dir, command });
  expect(await look("manifest")).toEqual(["globalTeardown"]);
  expect(await look("ts")).toEqual(["bail", "runner"]);
  expect(await look("ts", "jest -c ../jest.preset.js")).toEqual(["runner"]);
  for (const dir of ["scripted", "broken", "circle", "linked", "none"])
    expect([dir, await look(dir)]).toEqual([dir, []]);
  expect(await look("none", "jest --config ../../outside.js")).toEqual([]);
});
