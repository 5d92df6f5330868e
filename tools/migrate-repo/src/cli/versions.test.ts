import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import {
  buildHistory,
  json,
  rootManifest,
  tempDir,
  type Files,
} from "@skein/testing";
import { fingerprint, migrate, shown } from "../migrate.test.kit.js";
import { startRegistry } from "../registration/registry.test.kit.js";

const files: Files = {
  "package.json": rootManifest("root"),
  ".yarnrc.yml": "nodeLinker: node-modules\n",
  "packages/a/package.json":
    '{\n\t"name": "a",\n\t"dependencies": {\n\t\t"react": "^17.0.0",\n\t\t"zod": "^3.1.0"\n\t}\n}\n',
  "packages/b/package.json": json({
    name: "b",
    dependencies: { zod: "^3.2.0" },
    devDependencies: { react: "^18.0.0" },
  }),
};

async function workspace(more: Files = {}) {
  const dir = await tempDir("versions-");
  buildHistory(dir.path, [{ files: { ...files, ...more } }]);
  return dir;
}

const DIFFERENCES = `packages/a/package.json:4: react ^17.0.0, the workspace has ^18.0.0
packages/a/package.json:5: zod ^3.1.0, the workspace has ^3.2.0
`;

test("check reports file, line, dependency and ranges, and fails", async () => {
  await using dir = await workspace();
  const before = await fingerprint(dir.path);
  expect(await shown(join(dir.path, "packages/a"), ["versions", "check"]))
    .toBe(`1 stdout: ${DIFFERENCES}2 dependencies differ.
hint: to change them: migrate-repo versions align
hint: 1 of them is a different major version: change them too with align --majors, or use a named catalog, or list them in skein.json (migrate.ownVersions)
`);
  const { code, stdout } = await migrate(dir.path, "versions check --json");
  expect({ code, result: JSON.parse(stdout) as unknown }).toEqual({
    code: 1,
    result: {
      version: 1,
      mode: "check",
      dryRun: false,
      workspaces: 3,
      violations: [
        {
          kind: "differs",
          file: "packages/a/package.json",
          line: 4,
          workspace: "a",
          dependency: "react",
          field: "dependencies",
          range: "^17.0.0",
          wanted: "^18.0.0",
          meaning: "^18.0.0",
          major: true,
          aligned: false,
        },
        {
          kind: "differs",
          file: "packages/a/package.json",
          line: 5,
          workspace: "a",
          dependency: "zod",
          field: "dependencies",
          range: "^3.1.0",
          wanted: "^3.2.0",
          meaning: "^3.2.0",
          major: false,
          aligned: false,
        },
      ],
      constraints: { state: "none", files: [] },
      policyFile: "one-version.cjs",
    },
  });
  expect(await fingerprint(dir.path)).toBe(before);
});

test("align --dry-run writes nothing", async () => {
  await using dir = await workspace();
  const before = await fingerprint(dir.path);
  const { code, stdout } = await migrate(dir.path, "versions align --dry-run");
  expect({ code, stdout }).toMatchInlineSnapshot(`
   {
     "code": 1,
     "stdout": "packages/a/package.json:5: zod ^3.1.0, the workspace has ^3.2.0 (would be aligned)
   packages/a/package.json:4: react ^17.0.0, the workspace has ^18.0.0
   one-version.cjs: would be written
   yarn.config.cjs: would be written
   2 dependencies differ; 1 would be aligned.
   hint: 1 of them is a different major version: change them too with align --majors, or use a named catalog, or list them in skein.json (migrate.ownVersions)
   ",
   }
  `);
  expect(await fingerprint(dir.path)).toBe(before);
});

test("align changes only ranges, and writes constraints that Yarn enforces", async () => {
  await using registry = await startRegistry({
    "react@17.0.2": {},
    "react@18.0.0": {},
    "zod@3.2.0": {},
  });
  await using dir = await workspace({ ".yarnrc.yml": registry.yarnrc });
  const { code, stdout } = await migrate(dir.path, "versions align --majors");
  expect({ code, stdout }).toMatchInlineSnapshot(`
   {
     "code": 0,
     "stdout": "packages/a/package.json:4: react ^17.0.0, the workspace has ^18.0.0 (aligned)
   packages/a/package.json:5: zod ^3.1.0, the workspace has ^3.2.0 (aligned)
   one-version.cjs: written
   yarn.config.cjs: written
   2 dependencies differ; 2 aligned.
   hint: run \`yarn install\`, and the tests of changed packages
   ",
   }
  `);
  expect(
    await readFile(join(dir.path, "packages/a/package.json"), "utf8"),
  ).toBe(
    '{\n\t"name": "a",\n\t"dependencies": {\n\t\t"react": "^18.0.0",\n\t\t"zod": "^3.2.0"\n\t}\n}\n',
  );
  expect((await migrate(dir.path, ["versions", "check"])).stdout).toBe(
    "One version of each dependency in 3 workspaces.\n",
  );
  await registry.yarn(dir.path, "install");
  await registry.yarn(dir.path, "constraints");
  await writeFile(
    join(dir.path, "packages/b/package.json"),
    json({ name: "b", dependencies: { zod: "^3.0.0" } }),
  );
  await expect(registry.yarn(dir.path, "constraints")).rejects.toThrow(/zod/);
  await registry.yarn(dir.path, "constraints", "--fix");
  expect(
    await readFile(join(dir.path, "packages/b/package.json"), "utf8"),
  ).toContain('"zod": "^3.2.0"');
});

test("an existing yarn.config.cjs doesn't change, and the lines to add are printed", async () => {
  const mine = "module.exports = { constraints() {} };\n";
  await using dir = await workspace({ "yarn.config.cjs": mine });
  const { stdout } = await migrate(dir.path, ["versions", "align"]);
  expect(stdout).toContain(`one-version.cjs: written
yarn.config.cjs is unchanged. To let \`yarn constraints\` enforce the policy, add to it:
  const { oneVersion } = require("./one-version.cjs");
  oneVersion({ Yarn }); // first in constraints({ Yarn })
`);
  expect(await readFile(join(dir.path, "yarn.config.cjs"), "utf8")).toBe(mine);
  const edited = `${mine}// require("./one-version.cjs")\n`;
  await writeFile(join(dir.path, "yarn.config.cjs"), edited);
  await writeFile(
    join(dir.path, "one-version.cjs"),
    "exports.oneVersion = () => {};\n",
  );
  expect((await migrate(dir.path, ["versions", "align"])).stdout).not.toContain(
    "cjs",
  );
  expect(await readFile(join(dir.path, "one-version.cjs"), "utf8")).toBe(
    "exports.oneVersion = () => {};\n",
  );
});

test("no yarn.config.cjs is written that would disable Prolog rules", async () => {
  await using dir = await workspace({ "constraints.pro": "% mine\n" });
  const { stdout } = await migrate(dir.path, ["versions", "align"]);
  expect(stdout).toContain(
    "constraints.pro is unchanged. No yarn.config.cjs is written",
  );
  await expect(readFile(join(dir.path, "yarn.config.cjs"))).rejects.toThrow(
    "ENOENT",
  );
});

test("catalogs: the default one decides the version, and peers name no catalog", async () => {
  await using dir = await workspace({
    ".yarnrc.yml": "catalog:\n  react: ^18.2.0\n",
    "packages/c/package.json": json({
      name: "c",
      peerDependencies: { react: "catalog:" },
    }),
  });
  const { stdout } = await migrate(dir.path, ["versions", "align", "--majors"]);
  expect(stdout).toContain(
    "packages/c/package.json:4: react catalog: is a peer, and would be packed as `*`; its catalog has ^18.2.0 (aligned)",
  );
  expect(
    await readFile(join(dir.path, "packages/c/package.json"), "utf8"),
  ).toContain('"react": "^18.2.0"');
  expect(
    await readFile(join(dir.path, "packages/a/package.json"), "utf8"),
  ).toContain('"react": "catalog:"');
});
