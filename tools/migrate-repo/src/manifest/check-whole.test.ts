import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, json } from "@skein/testing";
import { buildPair, migrate, workspaceFiles } from "../migrate.test.kit.js";
import { startRegistry } from "../registration/registry.test.kit.js";

test("a batch updates yarn.lock with each landing, and installs and checks the workspace once, at its end", async () => {
  await using registry = await startRegistry({
    "ms@2.1.0": {},
    "ms@2.1.3": {},
  });
  const dependencies = { ms: "^2.0.0" };
  const files = (name: string, version: string) => ({
    "package.json": json({ name, version: "1.0.0", dependencies }),
    "package-lock.json": json({
      lockfileVersion: 3,
      packages: { "": { dependencies }, "node_modules/ms": { version } },
    }),
  });
  await using pair = await buildPair(
    [{ files: files("@acme/lib", "2.1.0") }],
    [
      {
        files: {
          ...workspaceFiles,
          ".yarnrc.yml": registry.yarnrc,
          ".gitignore": "node_modules\n.yarn\n",
          "yarn.config.cjs":
            'module.exports = { constraints: async ({ Yarn }) => { for (const w of Yarn.workspaces({ ident: "@acme/ui" })) w.error("no licence"); } };\n',
          "yarn.lock": "",
        },
      },
    ],
  );
  await mkdir(join(pair.dir, "ui"));
  buildHistory(join(pair.dir, "ui"), [{ files: files("@acme/ui", "2.1.3") }]);
  await registry.yarn(pair.target, "install");
  gitIn(pair.target, "commit", "--quiet", "-am", "locked");
  const manifest = join(pair.dir, "migrations.json");
  await writeFile(
    manifest,
    json({
      version: 1,
      repositories: [{ source: "../lib" }, { source: "../ui" }],
    }),
  );
  const { code, stdout } = await migrate(pair.target, ["apply", manifest], {
    env: registry.env,
  });
  expect(code).toBe(0);
  const [, whole = ""] = stdout.split("\nThe workspace with all of them\n");
  expect(whole).toContain("yarn install --immutable: done.");
  expect(whole).toMatch(/yarn constraints: broken;.*no licence/);
  expect(stdout.match(/yarn constraints:/g)).toHaveLength(1);
  const lock = gitIn(pair.target, "show", "HEAD:yarn.lock");
  expect(lock).toContain('"ms@npm:^2.0.0":\n  version: 2.1.0');
  expect(lock).toContain('"@acme/ui@workspace:packages/ui"');
  expect(gitIn(pair.target, "show", "HEAD~3:yarn.lock")).toContain(
    '"@acme/lib@workspace:packages/lib"',
  );

  // The state after a kill between the last landing and the check.
  const kept = join(pair.target, ".git/skein/migrate-check");
  const run = (mode: string) =>
    migrate(pair.target, [mode, manifest], { env: registry.env });
  expect(await run("status")).toMatchObject({ code: 0 });
  await rm(kept);
  const owed = await run("status");
  expect(owed.code).toBe(1);
  expect(owed.stdout).toContain(
    "  Not checked since the last landing: migrate-repo apply\n",
  );
  gitIn(pair.target, "mv", "packages/app", "packages/application");
  gitIn(pair.target, "commit", "--quiet", "-m", "yarn.lock is behind");
  const failing = await run("apply");
  expect(failing.code).toBe(1);
  expect(failing.stdout).toContain("  yarn install --immutable fails: ");
  expect((await run("status")).stdout).toContain(
    "\n  To repeat the check: migrate-repo apply\n",
  );
  gitIn(pair.target, "reset", "--quiet", "--hard", "HEAD^");
  expect(await run("apply")).toMatchObject({ code: 0 });
  expect(await run("status")).toMatchObject({ code: 0 });
});
