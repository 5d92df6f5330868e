import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, json } from "@skein/testing";
import {
  buildPair,
  fingerprint,
  libFiles,
  migrate,
  type Pair,
  writeManifest,
} from "../migrate.test.kit.js";
import { orderByDependency } from "./order.js";

async function batch(pair: Pair): Promise<string> {
  const make = async (name: string, dependencies: Record<string, string>) => {
    const dir = join(pair.dir, name);
    await mkdir(dir);
    buildHistory(dir, [
      {
        files: {
          "package.json": json({ name: `@acme/${name}`, dependencies }),
        },
      },
      { files: { a: "1" }, tags: ["v1.0.0"] },
    ]);
  };
  await make("ui", { "@acme/lib": "^1.0.0" });
  await make("bad", {});
  gitIn(join(pair.dir, "bad"), "rm", "--quiet", "package.json");
  gitIn(join(pair.dir, "bad"), "commit", "--quiet", "--message", "none");
  return writeManifest(pair, [
    { source: "../ui" },
    { source: "../lib", to: "packages/library" },
    { source: "../bad" },
    { source: "../nowhere" },
  ]);
}

test("a manifest is planned, applied in the order of dependencies, and unchanged when it is complete", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const manifest = await batch(pair);
  const before = await fingerprint(pair.target);
  const planned = await migrate(pair.target, ["plan", manifest]);
  expect(planned.code).toBe(1);
  // A plan has neither times nor sizes, so these columns are missing.
  expect(planned.stdout.split("\n")[2]).toBe(
    "Repository  Package     State    Commits  Tags",
  );
  expect(await fingerprint(pair.target)).toBe(before);

  const applied = await migrate(pair.target, ["apply", manifest]);
  // The size of objects depends on the versions of git and zlib.
  const size = /\b[\d.]+ (?:B|KiB)/g;
  const squeezed = applied.stdout.replace(size, "SIZE").replace(/ {2,}/g, "  ");
  expect({ ...applied, stdout: squeezed }).toEqual({
    code: 1,
    stderr:
      "../lib: migrated\n../ui: migrated\n../bad: blocked\n../nowhere: blocked\n",
    stdout: [
      "Migration of 4 repositories",
      "",
      "Repository  Package  State  Commits  Authors  Tags  Time  Size added  Version conflicts solved  Phantom dependencies declared  CI jobs lost  Follow-ups",
      "../ui  @acme/ui  migrated  2  1  1  0 ms  SIZE  0  0  0  0",
      "../lib  @acme/lib  migrated  1  1  0  0 ms  SIZE  0  0  0  0",
      "../bad  bad  blocked",
      "../nowhere  ../nowhere  blocked",
      "2 migrated  3  1  SIZE  0  0  0  0",
      "",
      "../bad",
      "  Blocked:",
      "  the source has no package.json at its top; migrate it anyway with --allow non-package, or choose a folder with --only",
      "",
      "../nowhere",
      "  Blocked:",
      '  "../nowhere" is not a folder, a git URL or owner/name',
      "",
    ].join("\n"),
  });
  expect(gitIn(pair.target, "log", "--first-parent", "--format=%s")).toBe(
    "Migrate ui to packages/ui\nMigrate lib to packages/library\ncommit 1\n",
  );
  const report = join(pair.dir, "report.html");
  const withReport = await migrate(pair.target, [
    ...["apply", manifest, "--report", report],
  ]);
  expect(withReport.stderr).toContain(
    '../nowhere: blocked: "../nowhere" is not a folder, a git URL or owner/name\n',
  );
  const again = await migrate(pair.target, ["apply", manifest]);
  expect(again.stderr).toBe(
    "../ui: done\n../lib: done\n../bad: blocked\n../nowhere: blocked\n",
  );
  // The record decides, even if the source has renamed its package since.
  const ui = join(pair.dir, "ui");
  await writeFile(join(ui, "package.json"), json({ name: "@acme/ui-next" }));
  gitIn(ui, "commit", "--quiet", "--all", "--message", "more");
  const status = await migrate(pair.target, ["status", manifest]);
  expect(status.stderr).toContain("../ui: stale by 1 commit\n");
  expect(status.stdout).toMatch(/^\.\.\/ui +@acme\/ui +stale by 1 commit /m);
});

test("status counts new commits on migrated branches; branches that a sync skips don't make a repository stale", async () => {
  await using pair = await buildPair([
    { files: libFiles },
    ...["on", "own", "again"].map((branch) => ({
      branch,
      from: "main",
      files: { [branch]: "1" },
    })),
  ]);
  const { source, target } = pair;
  const manifest = await writeManifest(pair, [
    { source: "../lib", branches: ["*"] },
  ]);
  expect(await migrate(target, ["apply", manifest])).toMatchObject({ code: 0 });
  const commit = (dir: string, branch: string) => {
    gitIn(dir, "switch", "--quiet", branch);
    gitIn(dir, "commit", "--quiet", "--allow-empty", "-m", `of ${branch}`);
    gitIn(dir, "switch", "--quiet", "main");
  };
  commit(source, "on");
  commit(source, "on");
  gitIn(source, "branch", "new", "on");
  gitIn(source, "branch", "old", "main");
  gitIn(source, "tag", "late", "main");
  commit(source, "own");
  commit(target, "lib/own");
  gitIn(source, "branch", "--force", "again", "main");
  commit(source, "again");
  const left = [
    "    unchanged: lib/own: it has its own commits here.",
    "    unchanged: lib/again: it was rewritten in the source. To get the current version, delete it and sync again.",
  ];
  const before = await fingerprint(target);
  const status = await migrate(target, ["status", manifest]);
  expect({
    ...status,
    stdout: status.stdout.split("\n").slice(5),
  }).toEqual({
    code: 1,
    stderr: "../lib: stale by 2 commits\n",
    stdout: [
      "../lib",
      "  Follow-ups:",
      "    branch lib/new: new, with 2 commits",
      "    branch lib/old: new, with 0 commits",
      "    branch lib/on: stale by 2 commits",
      "    tag late: new",
      ...left,
      "    migrate-repo sync @acme/lib merges them",
      "",
    ],
  });
  expect(await fingerprint(target)).toBe(before);
  expect(await migrate(target, ["sync", "lib"])).toMatchObject({ code: 0 });
  const synced = await migrate(target, ["status", manifest]);
  expect(synced.stdout).toMatch(/^\.\.\/lib +@acme\/lib +done +6 /m);
  expect({ ...synced, stdout: synced.stdout.split("\n").slice(5) }).toEqual({
    code: 0,
    stderr: "../lib: done\n",
    stdout: ["../lib", "  Follow-ups:", ...left, ""],
  });
  // Without a manifest, the records of migrations are enough.
  const recorded = await migrate(target, ["status"]);
  expect({ ...recorded, stdout: recorded.stdout.split("\n").slice(5) }).toEqual(
    {
      code: 0,
      stderr: `${source}: done\n`,
      stdout: [source, "  Follow-ups:", ...left, ""],
    },
  );
  // A sync could not fix these follow-ups, so they don't keep anybody from leaving the source.
  expect(await migrate(target, ["finish", "lib"])).toMatchObject({ code: 0 });
});

test("a different source with the name of a migrated package isn't treated as done", async () => {
  await using pair = await buildPair([{ files: libFiles }]);
  const other = join(pair.dir, "other");
  await mkdir(other);
  buildHistory(other, [{ files: { ...libFiles, "other.js": "1" } }]);
  const manifest = await writeManifest(pair, [
    { source: "../lib" },
    { source: "../other", to: "packages/other" },
  ]);
  const blocked = `  Blocked:\n    "@acme/lib" was migrated from ${pair.source}, a different repository; give this one another name: "name" in the manifest\n`;
  for (const mode of ["apply", "apply", "status"]) {
    const { code, stdout } = await migrate(pair.target, [mode, manifest]);
    expect(code).toBe(1);
    expect(stdout).toContain(blocked);
  }
  // The same repository at another place is still the same repository.
  const moved = join(pair.dir, "moved");
  await rename(pair.source, moved);
  await writeFile(
    manifest,
    json({ version: 1, repositories: [{ source: "../moved" }] }),
  );
  expect((await migrate(pair.target, ["status", manifest])).stdout).toMatch(
    /^\.\.\/moved +@acme\/lib +done /m,
  );
});

test("repositories in a cycle of dependencies keep the manifest's order", () => {
  const one = (name: string, ...dependencies: string[]) => ({
    name,
    dependencies,
  });
  expect(
    orderByDependency([
      one("a", "b"),
      one("b", "c", "a"),
      one("c"),
      one("d"),
    ]).map(({ name }) => name),
  ).toEqual(["c", "b", "a", "d"]);
});
