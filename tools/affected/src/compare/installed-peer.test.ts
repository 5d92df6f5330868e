import { relative } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir, writeFiles, type Files } from "@skein/testing";
import { installedPeer, modulesOf } from "./ask-peer.js";

test.each<[string, Files, string | undefined]>([
  ["nowhere", {}, undefined],
  ["as a bin", { ".bin/nx": "", "nx/package.json": "{}" }, ".bin/nx"],
  [
    "by Yarn's linker pnpm, which writes no bin",
    { "nx/package.json": '{"bin": {"nx": "./bin/nx.js"}}', "nx/bin/nx.js": "" },
    "nx/bin/nx.js",
  ],
  [
    "with one program",
    { "nx/package.json": '{"bin": "nx.js"}', "nx/nx.js": "" },
    "nx/nx.js",
  ],
  ["without its program", { "nx/package.json": '{"bin": "nx.js"}' }, undefined],
  [
    "with a program elsewhere",
    { "nx/package.json": '{"bin": "../evil.js"}', "evil.js": "" },
    undefined,
  ],
  ["broken", { "nx/package.json": "{" }, undefined],
  ["with a bin that is none", { "nx/package.json": '{"bin": 1}' }, undefined],
])("a tool that is installed %s", async (_case, files, found) => {
  await using dir = await tempDir();
  const modules = Object.entries(files).map(
    ([path, file]) => [`node_modules/${path}`, file] as const,
  );
  await writeFiles(dir.path, Object.fromEntries(modules));
  const file = installedPeer(dir.path, "nx");
  expect(file && relative(`${dir.path}/node_modules`, file)).toBe(found);
});

test.each([
  ["/a/node_modules/.bin/nx", "/a/node_modules"],
  ["/a/node_modules/nx/dist/bin/nx.js", "/a/node_modules"],
  ["/a/node_modules/b/node_modules/nx/nx.js", "/a/node_modules/b/node_modules"],
  ["/tools/nx.mjs", undefined],
])("the node_modules of %s are %s", (file, modules) => {
  expect(modulesOf(file)).toBe(modules);
});
