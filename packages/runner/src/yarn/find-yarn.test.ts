import { expect, test } from "@jest/globals";
import { join } from "node:path";
import { tempDir, writeFiles, type Files } from "@skein/testing";
import { findYarn, rcScalar, type FindYarnInput } from "./find-yarn.js";

const cliDist: Files = {
  "cli/package.json": '{"name":"@yarnpkg/cli-dist","version":"4.18.1"}',
  "cli/bin/yarn.js": { executable: "" },
  "bin/yarn": { symlink: "../cli/bin/yarn.js" },
};
const corepack: Files = {
  "lib/corepack/package.json": '{"name":"corepack","version":"0.34.0"}',
  "lib/corepack/dist/yarn.js": { executable: "" },
  "lib/corepack/dist/corepack.js": { executable: "" },
  "bin/yarn": { symlink: "../lib/corepack/dist/yarn.js" },
  "bin/corepack": { symlink: "../lib/corepack/dist/corepack.js" },
};
const classic: Files = {
  "classic/package.json": '{"name":"yarn","version":"1.22.22"}',
  "classic/bin/yarn.js": { executable: "" },
  "bin/yarn": { symlink: "../classic/bin/yarn.js" },
};

/** `DIR` means the temporary folder, in inputs and results. */
test.each<[string, Files, Partial<FindYarnInput>, unknown]>([
  [
    "yarnPath of the project before all others",
    cliDist,
    { rc: 'yarnPath: ".yarn/releases/yarn-4.9.1.cjs"\n' },
    {
      file: "node",
      args: ["DIR/.yarn/releases/yarn-4.9.1.cjs"],
      version: "4.9.1",
    },
  ],
  [
    "the Yarn that runs us, from the program that its wrapper starts",
    {
      "w/yarn": { executable: `#!/bin/sh\nexec "/n/node" '/y/yarn.js' "$@"\n` },
      ...cliDist,
    },
    {
      env: {
        npm_execpath: "DIR/w/yarn",
        npm_config_user_agent: "yarn/4.5.0 npm/? node/v20",
        PATH: "DIR/bin",
      },
    },
    { file: "node", args: ["/y/yarn.js"], version: "4.5.0" },
  ],
  [
    "the Yarn that runs us, from its own file",
    cliDist,
    {
      env: {
        npm_execpath: "/y/yarn.js",
        npm_config_user_agent: "yarn/10.0.0 npm/? node/v20",
      },
    },
    { file: "node", args: ["/y/yarn.js"], version: "10.0.0" },
  ],
  [
    "the Yarn on PATH if npm runs us",
    cliDist,
    {
      env: {
        npm_execpath: "/n/npm-cli.js",
        npm_config_user_agent: "npm/10 node/v20",
        PATH: "/nowhere:DIR/bin",
      },
    },
    { file: "node", args: ["DIR/cli/bin/yarn.js"], version: "4.18.1" },
  ],
  [
    "Corepack's yarn has the version that the project declares",
    corepack,
    { env: { PATH: "DIR/bin" }, packageManager: "yarn@4.10.0+sha512.abc" },
    {
      file: "node",
      args: ["DIR/lib/corepack/dist/yarn.js"],
      version: "4.10.0",
      corepackRoot: "DIR/lib/corepack",
    },
  ],
  [
    "no Yarn if only Yarn Classic is installed",
    classic,
    { env: { PATH: "DIR/bin" } },
    undefined,
  ],
  ["no Yarn if none is installed", {}, { env: { PATH: "DIR/bin" } }, undefined],
])("%s", async (_name, files, input, expected) => {
  await using dir = await tempDir();
  await writeFiles(dir.path, files);
  const env = Object.fromEntries(
    Object.entries(input.env ?? {}).map(([name, value]) => [
      name,
      value?.replace("DIR", dir.path),
    ]),
  );
  const found = await findYarn({
    root: dir.path,
    execPath: "node",
    rc: "",
    packageManager: undefined,
    ...input,
    env,
  });
  expect(
    JSON.parse(
      JSON.stringify(found ?? null).replaceAll(join(dir.path), "DIR"),
    ) as unknown,
  ).toEqual(expected ?? null);
});

test.each([
  ["a: b", "b"],
  ["x: 1\na:   'b # c'  # d\n", "b # c"],
  ['a: "b"\r\n', "b"],
  ["a: b # c", "b"],
  ["a:\n  - b", undefined],
  ["  a: b", undefined],
  ["aa: b", undefined],
  ["# a: b", undefined],
])("the setting a of %j is %j", (rc, value) => {
  expect(rcScalar(rc, "a")).toBe(value);
});
