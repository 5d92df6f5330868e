import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { gitIn } from "@skein/testing";
import {
  buildPair,
  FINE,
  fingerprint,
  historyOnly,
  libFiles,
  migrate,
  shown,
} from "../migrate.test.kit.js";

const add = ["add", "../lib", ...historyOnly];

test("changes that a force push dropped, and local changes, are reported by sync, verify, status and finish", async () => {
  await using pair = await buildPair([
    { files: { ...libFiles, "rainbow.js": "1\n", "local.js": "1\n" } },
  ]);
  const { source, target } = pair;
  await migrate(target, add);
  await rm(join(source, "rainbow.js"));
  gitIn(source, "commit", "--quiet", "--all", "-m", "remove the rainbow");
  expect(await migrate(target, ["sync", "lib"])).toMatchObject({ code: 0 });
  const dropped = gitIn(target, "rev-parse", "HEAD^2").slice(0, 12);
  await writeFile(join(target, "packages/lib/local.js"), "2\n");
  gitIn(target, "commit", "--quiet", "--all", "-m", "local");
  gitIn(source, "reset", "--quiet", "--hard", "HEAD^");
  await writeFile(join(source, "new.js"), "1\n");
  gitIn(source, "add", "--all");
  gitIn(source, "commit", "--quiet", "-m", "new");
  const synced = await migrate(target, ["sync", "lib"]);
  const tip = gitIn(target, "rev-parse", "HEAD^2").slice(0, 12);
  const reported = `1 file differs from the source's main (${tip}), because it keeps changes of commits that the source dropped: packages/lib/rainbow.js (${dropped}). To restore the source's version: git restore --source=${tip} --staged --worktree -- packages/lib/rainbow.js
1 file differs from the source's main (${tip}), because it was changed here: packages/lib/local.js.
`;
  expect(synced.code).toBe(0);
  expect(synced.stdout).toContain(reported);
  for (const verb of ["sync", "verify", "finish"]) {
    const { code, stdout } = await migrate(target, [verb, "lib"]);
    expect(code).toBe(0);
    expect(stdout.split(reported)).toHaveLength(2);
  }
  const status = await migrate(target, ["status"]);
  for (const line of reported.trim().split("\n"))
    expect(status.stdout).toContain(`    ${line}`);
  // The hint's command works.
  gitIn(
    target,
    ...["restore", `--source=${tip}`, "--staged", "--worktree", "--"],
    "packages/lib/rainbow.js",
  );
  gitIn(target, "commit", "--quiet", "-m", "the source's rainbow");
  expect((await migrate(target, ["sync", "lib"])).stdout).toBe(
    `@acme/lib is up to date with its source.\n${reported.split("\n")[1] ?? ""}\n`,
  );
});

test("a renamed branch and a moved source are used from then on; a different repository is refused", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const { source, target, dir } = pair;
  await migrate(target, add);
  gitIn(source, "branch", "-m", "trunk");
  expect((await migrate(target, ["sync", "lib"])).stderr)
    .toBe(`migrate-repo: the source no longer has the branch main
hint: it has: trunk; if it was renamed: migrate-repo sync @acme/lib --ref BRANCH
`);
  const before = await fingerprint(target);
  const other = join(dir, "other");
  gitIn(dir, "init", "--quiet", "--initial-branch=trunk", other);
  gitIn(other, "commit", "--quiet", "--allow-empty", "-m", "other");
  expect(
    await shown(target, [
      ...["sync", "lib", "--ref", "trunk", "--source", other],
    ]),
  )
    .toBe(`3 stderr: migrate-repo: ${other} trunk shares no commit with the migrated one: it is a different repository
hint: check --source and --ref; to migrate it as another package: migrate-repo add
`);
  expect(await fingerprint(target)).toBe(before);
  const moved = join(dir, "moved");
  gitIn(dir, "clone", "--quiet", "--bare", source, moved);
  await rm(source, { recursive: true });
  const synced = await migrate(target, [
    ...["sync", "lib", "--ref", "trunk", "--source", "../moved"],
  ]);
  expect(synced).toMatchObject(FINE);
  expect(await shown(target, ["sync", "lib"])).toBe(
    "0 stdout: @acme/lib is up to date with its source.\n",
  );
});
