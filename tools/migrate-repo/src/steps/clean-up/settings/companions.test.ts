import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import {
  buildPair,
  FINE,
  migrate,
  workspaceFiles,
} from "../../../migrate.test.kit.js";

const source = {
  "package.json": json({
    name: "mono",
    private: true,
    workspaces: ["packages/*"],
    devDependencies: { nock: "^13.3.1", prettier: "^3.0.0" },
  }),
  "jest.config.base.js":
    "const nock = require('nock');\nmodule.exports = { setupFiles: ['../../tests/setup.ts'] };\n",
  "tests/setup.ts":
    "import './setup/matchers.js';\nreadFile('./setup');\nimport 'node:fs';\n",
  "tests/setup/matchers.ts": "import '../setup-nock';\n",
  "tests/setup-nock.ts": "import nock from 'nock';\n",
  "tests/unused.ts": "1\n",
  "scripts/release.sh": "exit\n",
  "scripts/unused.sh": "exit\n",
  "packages/a/package.json": json({
    name: "@acme/a",
    scripts: { release: "../../scripts/release.sh now", test: "jest" },
  }),
  "packages/a/jest.config.js":
    "module.exports = require('../../jest.config.base');\n",
  "packages/b/package.json": json({ name: "@acme/b" }),
};

const only = ["add", "../lib", "--no-install", "--only"];

test("files that were left behind and that settings name in any way are one list to paste", async () => {
  await using pair = await buildPair([{ files: source }]);
  const { stdout } = await migrate(pair.target, [
    ...[...only, "packages/a"],
    "--dry-run",
  ]);
  const along =
    "packages/a=packages/a jest.config.base.js=jest.config.base.js scripts/release.sh=scripts/release.sh tests=tests";
  expect(stdout).toContain(
    `To migrate these files too, with their history, use: --only ${along}. Add what they import to the root: yarn add --dev 'nock@^13.3.1'\n`,
  );

  const added = await migrate(pair.target, [...only, ...along.split(" ")]);
  expect(added).toMatchObject(FINE);
  expect(added.stdout).not.toContain("was not migrated");
  expect(added.stdout).toContain(
    "names ../../scripts/release.sh, outside of the package: here that is the workspace's scripts/release.sh.\n",
  );
  expect(gitIn(pair.target, "ls-files")).toBe(
    [
      ".gitignore",
      "jest.config.base.js",
      "package.json",
      "packages/a/jest.config.js",
      "packages/a/package.json",
      "packages/app/package.json",
      "scripts/release.sh",
      "tests/setup-nock.ts",
      "tests/setup.ts",
      "tests/setup/matchers.ts",
      "tests/unused.ts",
      "",
    ].join("\n"),
  );
  expect(await migrate(pair.target, ["verify", "a"])).toMatchObject({
    code: 0,
  });
});

test("a path that exists in the workspace isn't a companion", async () => {
  await using pair = await buildPair(
    [{ files: source }],
    [
      {
        files: {
          ...workspaceFiles,
          "jest.config.base.js": "module.exports = {};\n",
          "scripts/release.sh": "exit\n",
        },
      },
    ],
  );
  const { stdout } = await migrate(pair.target, [
    ...[...only, "packages/a"],
    "--dry-run",
  ]);
  expect(stdout).not.toContain("was not migrated");
});
