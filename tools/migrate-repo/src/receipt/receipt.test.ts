import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openGit } from "@skein/git";
import { gitIn, gitTestEnv, json } from "@skein/testing";
import { parseLock } from "../registration/graft-lock.js";
import { resolutionsBelow } from "../registration/resolutions-below.js";
import { readRecord } from "../record/record.js";
import {
  buildPair,
  FINE,
  historyOnly,
  migrate,
  workspaceFiles,
} from "../migrate.test.kit.js";
import { checkProof } from "./check-proof.js";

const source = {
  "package.json": json({ name: "@acme/lib", version: "1.4.0" }),
  ".gitignore": "dist\n",
  "index.js": "1\n",
  "src/x.js": "1\n",
};

test("npm's packed files are compared with the source's, recorded, and compared again later", async () => {
  await using pair = await buildPair(
    [{ files: source }],
    [{ files: { ...workspaceFiles, ".gitignore": "node_modules\nsrc\n" } }],
  );
  const added = await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  expect(added.stdout).toContain(
    "\n  packed       packages/lib: MISSING src/x.js\n",
  );
  const verified = await migrate(pair.target, ["verify", "lib"]);
  expect(verified).toMatchObject({
    code: 0,
    stdout:
      "@acme/lib: nothing is missing. 1 commit with exactly the files of their originals, 0 tags, log and blame of 4 files as in the source.\nAs recorded: the packed files of 1 package, 0 resolutions of yarn.lock; no other resolution has changed.\n",
  });
  const stored = await readRecord(
    openGit({ cwd: pair.target, env: gitTestEnv }),
    "@acme/lib",
  );
  expect(stored?.proof?.packed).toEqual({
    "packages/lib": {
      home: ["src/x.js"],
      here: [],
    },
  });

  await writeFile(join(pair.target, "packages/lib/.npmignore"), "index.js\n");
  gitIn(pair.target, "add", "packages/lib/.npmignore");
  gitIn(pair.target, "commit", "--quiet", "--message", "pack less");
  expect((await migrate(pair.target, ["verify", "lib"])).stdout).toContain(
    "\nSince then: npm no longer packs 1 file: packages/lib/index.js.\n",
  );
});

test("a record that contradicts the repository is detected", async () => {
  await using pair = await buildPair([{ files: source }]);
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  const git = openGit({ cwd: pair.target, env: gitTestEnv });
  const stored = await readRecord(git, "@acme/lib");
  const proof = stored?.proof;
  if (!proof) throw new Error("no proof");
  const check = await checkProof(
    git,
    {
      ...proof,
      packed: {
        "packages/lib": { home: ["a.js"], here: [] },
      },
      resolutions: { "a@npm:^1.0.0": "a@npm:1.0.0" },
    },
    stored.record.placements,
    proof.landed,
    pair.dir,
  );
  expect(check).toEqual({
    packed: 1,
    resolutions: 0,
    findings: [
      {
        kind: "packed-differs",
        dir: "packages/lib",
        side: "home",
        gone: ["a.js"],
        came: [],
      },
      {
        kind: "resolution-differs",
        moved: {
          descriptor: "a@npm:^1.0.0",
          before: "a@npm:1.0.0",
          after: "",
        },
      },
    ],
    since: { unpacked: [], moved: [] },
  });
});

test("the entries of a lockfile below a package", () => {
  const lock = parseLock(`__metadata:
  version: 8

"@acme/app@workspace:packages/app":
  version: 0.0.0-use.local
  resolution: "@acme/app@workspace:packages/app"
  dependencies:
    other: "npm:^1.0.0"

"@acme/lib@workspace:^, @acme/lib@workspace:packages/lib":
  version: 0.0.0-use.local
  resolution: "@acme/lib@workspace:packages/lib"
  dependencies:
    "@acme/app": "workspace:^"
    a: "npm:^1.0.0"
    react: "catalog:"

"a@npm:^1.0.0":
  version: 1.2.0
  resolution: "a@npm:1.2.0"
  dependencies:
    b: "npm:2.x"

"b@npm:2.x":
  version: 2.9.0
  resolution: "b@npm:2.9.0"

"other@npm:^1.0.0":
  version: 1.0.0
  resolution: "other@npm:1.0.0"

"react@npm:^18.0.0":
  version: 18.3.1
  resolution: "react@npm:18.3.1"
`);
  expect(resolutionsBelow(lock, ["packages/lib"])).toEqual({
    "a@npm:^1.0.0": "a@npm:1.2.0",
    "b@npm:2.x": "b@npm:2.9.0",
    "react@npm:^18.0.0": "react@npm:18.3.1",
  });
});

test("a migration is found by the name of any of its packages", async () => {
  await using pair = await buildPair([
    {
      files: {
        "package.json": json({ name: "mono", workspaces: ["packages/*"] }),
        "packages/a/package.json": json({ name: "@acme/a" }),
        "packages/b/package.json": json({ name: "@acme/b" }),
        "packages/b/plugin/package.json": json({ name: "@acme/b-plugin" }),
      },
    },
  ]);
  await migrate(pair.target, [
    ...["add", "../lib", "--only", "packages/a", "packages/b"],
    ...historyOnly,
  ]);
  for (const name of ["a", "@acme/a", "b", "@acme/b", "b-plugin", "packages/b"])
    expect(await migrate(pair.target, ["verify", name])).toMatchObject(FINE);
  expect((await migrate(pair.target, ["verify", "@acme/bb"])).stderr).toBe(
    'migrate-repo: there is no record of a migration "@acme/bb"\nhint: migrated: @acme/a; did you mean @acme/b?\n',
  );
});

test("packed files and resolutions are also compared if the migration's own commits no longer exist", async () => {
  const lock = (version: string) =>
    `__metadata:\n  version: 8\n\n"a@npm:^1.0.0":\n  version: ${version}\n  resolution: "a@npm:${version}"\n\n"@acme/lib@workspace:packages/lib":\n  version: 0.0.0-use.local\n  resolution: "@acme/lib@workspace:packages/lib"\n  dependencies:\n    a: "npm:^1.0.0"\n`;
  await using pair = await buildPair(
    [{ files: source }],
    [{ files: { ...workspaceFiles, "yarn.lock": lock("1.0.0") } }],
  );
  await migrate(pair.target, ["add", "../lib", ...historyOnly]);
  // The state after a squash elsewhere: only the record and the originals are here.
  gitIn(pair.target, "reset", "--quiet", "--soft", "HEAD^");
  await writeFile(join(pair.target, "packages/lib/.npmignore"), "index.js\n");
  await writeFile(join(pair.target, "yarn.lock"), lock("1.9.0"));
  gitIn(pair.target, "add", "--all");
  gitIn(pair.target, "commit", "--quiet", "--message", "squashed");
  const elsewhere = join(pair.dir, "elsewhere");
  gitIn(pair.dir, "clone", "--quiet", `file://${pair.target}`, elsewhere);
  gitIn(
    elsewhere,
    "fetch",
    "--quiet",
    "origin",
    "refs/migrate/*:refs/migrate/*",
  );
  const { code, stdout, stderr } = await migrate(elsewhere, ["verify", "lib"]);
  expect(stderr).toBe("");
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^@acme\/lib: 2 findings\.\n {2}1 migrated commit is not in this repository: their branch was not pushed, or its merge was squashed or rebased\..*\n {2}The migrated history \(\w{12}\) is not in this branch: .*\nAs recorded: the packed files of 1 package, 1 resolution of yarn\.lock; no other resolution has changed\.\nSince then: npm no longer packs 1 file: packages\/lib\/index\.js\.\nSince then: 1 resolution changed: a@npm:\^1\.0\.0 -> a@npm:1\.9\.0\.\n$/,
  );
});

test("the suggested fix for a squash restores the history for `git log -- path`", async () => {
  await using pair = await buildPair([
    { files: source },
    { files: { "index.js": "2\n" } },
  ]);
  const { target } = pair;
  gitIn(target, "switch", "--quiet", "--create", "migrate");
  gitIn(target, "restore", ".");
  await migrate(target, ["add", "../lib", ...historyOnly]);
  gitIn(target, "switch", "--quiet", "main");
  gitIn(target, "merge", "--quiet", "--squash", "migrate");
  gitIn(target, "commit", "--quiet", "--message", "squashed");
  const { code, stdout } = await migrate(target, ["verify", "lib"]);
  expect(code).toBe(1);
  const [, ...merge] = /`git (merge) (--no-ff) (\w{40})`/.exec(stdout) ?? [];
  gitIn(target, "revert", "--no-edit", "HEAD");
  gitIn(target, ...merge, "--no-edit");
  expect(await migrate(target, ["verify", "lib"])).toMatchObject({ code: 0 });
  expect(
    gitIn(target, "log", "--format=%s", "--", "packages/lib/index.js"),
  ).toBe("commit 2\ncommit 1\n");
});
