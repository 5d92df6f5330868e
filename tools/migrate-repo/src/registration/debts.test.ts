import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { buildPair, migrate, workspaceFiles } from "../migrate.test.kit.js";
import { startRegistry } from "./registry.test.kit.js";

test("a different major goes to a named catalog if the project uses catalogs, as a debt with an owner; Yarn installs it", async () => {
  await using registry = await startRegistry({
    "zod@3.2.0": {},
    "zod@4.1.0": {},
    "ms@2.1.3": {},
  });
  const yarnrc = `${registry.yarnrc}catalog:\n  zod: ^4.0.0 # ours\n`;
  const lib = {
    name: "@acme/lib",
    version: "1.0.0",
    dependencies: { zod: "^3.0.0", ms: "^2.0.0" },
  };
  await using pair = await buildPair(
    [
      {
        files: {
          "package.json": json(lib),
          "index.js": 'require("zod");\n',
          CODEOWNERS: "* @acme/lib-team\n",
        },
      },
    ],
    [
      {
        files: {
          ...workspaceFiles,
          ".yarnrc.yml": yarnrc,
          ".gitignore": "node_modules\n.yarn\n",
          "packages/app/package.json": json({
            name: "@acme/app",
            dependencies: { zod: "catalog:" },
          }),
          "yarn.lock": "",
        },
      },
    ],
  );
  const { target } = pair;
  await registry.yarn(target, "install");
  gitIn(target, "commit", "--quiet", "-am", "locked");
  const { code, stdout } = await migrate(target, ["add", "../lib"], {
    env: registry.env,
  });
  expect(code).toBe(0);
  expect(stdout).toContain(
    "follow-up: packages/lib/package.json: zod keeps ^3.0.0, as catalog:lib, which is new in .yarnrc.yml; ^4.0.0 in 1 workspace here is a different major version (debt of @acme/lib-team).\n",
  );
  expect(gitIn(target, "show", "HEAD:.yarnrc.yml")).toBe(
    `${yarnrc}\ncatalogs:\n  lib:\n    zod: ^3.0.0\n`,
  );
  const manifest = gitIn(target, "show", "HEAD:packages/lib/package.json");
  expect(manifest).toContain('"zod": "catalog:lib"');
  await registry.yarn(target, "install", "--immutable");
  expect((await migrate(target, ["versions", "check"])).code).toBe(0);
});
