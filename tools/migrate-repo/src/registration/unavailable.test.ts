import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { steps } from "../steps/index.js";
import { buildPair, migrate, workspaceFiles } from "../migrate.test.kit.js";
import { startRegistry } from "./registry.test.kit.js";

test("a version that the registry no longer has is resolved again and reported; the others are kept", async () => {
  await using registry = await startRegistry({
    "ms@2.1.0": {},
    "ms@2.1.3": {},
    "zod@3.2.0": {},
    "zod@3.9.0": {},
  });
  const dependencies = { ms: "^2.0.0", zod: "^3.0.0" };
  const locked = { ms: { version: "2.1.1" }, zod: { version: "3.2.0" } };
  await using pair = await buildPair(
    [
      {
        files: {
          "package.json": json({ name: "@acme/lib", dependencies }),
          "package-lock.json": json({
            lockfileVersion: 3,
            packages: {
              "": { dependencies },
              "node_modules/ms": locked.ms,
              "node_modules/zod": locked.zod,
            },
          }),
        },
      },
    ],
    [
      {
        files: {
          ...workspaceFiles,
          ".yarnrc.yml": registry.yarnrc,
          ".gitignore": "node_modules\n.yarn\n",
          "yarn.lock": "",
        },
      },
    ],
  );
  await registry.yarn(pair.target, "install");
  gitIn(pair.target, "commit", "--quiet", "-am", "locked");
  const { code, stdout } = await migrate(
    pair.target,
    ["add", "../lib", "--skip", ...steps.map(({ id }) => id)],
    { env: registry.env },
  );
  expect(code).toBe(0);
  expect(stdout).toContain(`
  done: yarn install: done; no resolution of the workspace changed; 1 resolution of package-lock.json copied into yarn.lock, 1 version of 2 packages changed.
  warning: ms 2.1.1 -> 2.1.3: the registry does not have the version in its own lockfile.
`);
  const lock = gitIn(pair.target, "show", "HEAD:yarn.lock");
  expect(lock).toContain('"ms@npm:^2.0.0":\n  version: 2.1.3');
  expect(lock).toContain('"zod@npm:^3.0.0":\n  version: 3.2.0');
});
