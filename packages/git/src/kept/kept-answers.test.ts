import {
  mkdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import fc from "fast-check";
import { ORIGIN_HEAD } from "../base/default-branch.js";
import { openDiffs } from "../diffs.js";
import { openGit } from "../git.js";
import { openAnswers } from "./kept-answers.js";
import { openRepository } from "../repository.js";

const FILES = ["package.json", "yarn.lock"];

interface Place {
  readonly cwd: string;
  readonly keepIn: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A PATH without programs. */
const NO_GIT = { PATH: "/nowhere" };

/** Returns all answers that may be cached. Without `keepIn`, no cache is used. */
async function ask({
  cwd,
  keepIn,
  env,
}: Omit<Place, "keepIn"> & Partial<Place>) {
  const place = { cwd, env: { ...gitTestEnv, ...env } };
  const answers =
    keepIn === undefined
      ? undefined
      : openAnswers({ root: cwd, env: place.env, keepIn, ref: ORIGIN_HEAD });
  const diffs = openDiffs(openGit(place), join(cwd, ".git"), { answers });
  try {
    const { git, ...facts } = await openRepository({
      ...place,
      mergeBase: ORIGIN_HEAD,
      files: FILES,
      answers,
    });
    const { bases = [] } = facts.known.mergeBase ?? {};
    const entries = [];
    for (const base of bases)
      entries.push(await diffs.read(base, facts.head ?? ""));
    return { ...facts, runsIn: git.cwd, entries };
  } finally {
    diffs.close();
  }
}

/** Creates a typical clone, with a branch of one commit. */
function clone(dir: string): void {
  buildHistory(dir, [
    { files: { "package.json": "{}", "a b/ü": "1" } },
    { branch: "side", from: "main", files: { "yarn.lock": "" } },
    { branch: "feature", from: "main", files: { "a b/ü": "2" } },
  ]);
  gitIn(dir, "update-ref", "refs/remotes/origin/main", "main");
  gitIn(dir, "update-ref", "refs/remotes/origin/side", "side");
  gitIn(dir, "symbolic-ref", ORIGIN_HEAD, "refs/remotes/origin/main");
  gitIn(dir, "checkout", "--quiet", "feature");
}

/** Changes that people and git make to a repository between two runs. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  commit: ["commit", "--quiet", "--allow-empty", "-m", "more"],
  amend: ["commit", "--quiet", "--amend", "--allow-empty", "-m", "other"],
  detach: ["checkout", "--quiet", "--detach"],
  feature: ["checkout", "--quiet", "feature"],
  side: ["checkout", "--quiet", "side"],
  merge: ["merge", "--quiet", "--no-edit", "side"],
  pack: ["pack-refs", "--all"],
  collect: ["gc", "--quiet", "--prune=now"],
  "the remote moves": ["update-ref", "refs/remotes/origin/main", "side"],
  "the remote moves back": ["update-ref", "refs/remotes/origin/main", "main"],
  "another default": ["symbolic-ref", ORIGIN_HEAD, "refs/remotes/origin/side"],
  "no default": ["symbolic-ref", "--delete", ORIGIN_HEAD],
  "a default that isn't a symref": [
    "update-ref",
    "--no-deref",
    ORIGIN_HEAD,
    "main",
  ],
  replace: ["replace", "--force", "main", "side"],
  "replace no more": ["replace", "--delete", "main"],
  setting: ["config", "user.name", "someone"],
};

test("after any change between two runs, the answers are current", async () => {
  await using dir = await tempDir();
  let times = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...Object.keys(STEPS)), {
        minLength: 2,
        maxLength: 8,
      }),
      async (steps) => {
        const cwd = join(dir.path, `${times++}`);
        await mkdir(cwd);
        clone(cwd);
        const keepIn = join(cwd, ".git/skein");
        for (const step of ["", ...steps]) {
          const words = STEPS[step] ?? ["status"];
          try {
            gitIn(cwd, ...words);
          } catch {
            // The step had nothing to merge or delete, and changed nothing.
          }
          const now = await ask({ cwd });
          expect([step, await ask({ cwd, keepIn })]).toEqual([step, now]);
          expect([step, await ask({ cwd, keepIn })]).toEqual([step, now]);
        }
      },
    ),
    { numRuns: 12 },
  );
});

async function isKept(place: Place): Promise<boolean> {
  return ask({ ...place, env: { ...place.env, ...NO_GIT } }).then(
    () => true,
    () => false,
  );
}

test("a second run uses the cache, also with packed refs", async () => {
  await using dir = await tempDir();
  const cwd = dir.path;
  clone(cwd);
  const place = { cwd, keepIn: join(cwd, ".git/skein") };
  expect(await isKept(place)).toBe(false);
  const reported = await ask(place);
  expect(reported.entries.flat().map(({ path }) => path)).toEqual(["a b/ü"]);
  expect(await ask({ ...place, env: NO_GIT })).toEqual(reported);
  gitIn(cwd, "pack-refs", "--all");
  expect(await ask({ ...place, env: NO_GIT })).toEqual(reported);
});

test.each<
  [what: string, change: (cwd: string) => unknown, env?: Record<string, string>]
>([
  [
    "a password in the settings isn't stored, and other questions are answered again",
    (cwd) => gitIn(cwd, "config", "http.extraHeader", "s3cret"),
  ],
  [
    "where history ends",
    (cwd) =>
      writeFile(join(cwd, ".git/shallow"), gitIn(cwd, "rev-parse", "main")),
  ],
  ["grafts", (cwd) => writeFile(join(cwd, ".git/info/grafts"), "")],
  ["replaced commits", (cwd) => gitIn(cwd, "replace", "main", "side")],
  [
    "replaced commits, packed",
    (cwd) => {
      gitIn(cwd, "replace", "main", "side");
      gitIn(cwd, "pack-refs", "--all");
    },
  ],
  ["refs in tables", (cwd) => mkdir(join(cwd, ".git/reftable"))],
  [
    "a ref that is a symlink",
    async (cwd) => {
      const file = join(cwd, ".git/refs/heads/feature");
      await rename(file, `${file}-2`);
      await symlink("feature-2", file);
    },
  ],
  [
    "a default that leaves the folder",
    (cwd) =>
      writeFile(
        join(cwd, ".git", ORIGIN_HEAD),
        "ref: refs/remotes/../heads/main\n",
      ),
  ],
  ["an environment of git's", () => undefined, { GIT_NO_REPLACE_OBJECTS: "1" }],
  [
    "a kept file that is not whole",
    (cwd) => writeFile(join(cwd, ".git/skein/answers.json"), "{}"),
  ],
  ["no kept file", (cwd) => rm(join(cwd, ".git/skein/answers.json"))],
])("the cache isn't used: %s", async (_, change, env = {}) => {
  await using dir = await tempDir();
  const cwd = dir.path;
  clone(cwd);
  const place = { cwd, keepIn: join(cwd, ".git/skein") };
  await ask(place);
  expect(await isKept(place)).toBe(true);
  await change(cwd);
  expect(await isKept({ ...place, env })).toBe(false);
  expect(await ask({ ...place, env })).toEqual(await ask({ cwd, env }));
  const kept = await readFile(join(cwd, ".git/skein/answers.json"), "utf8");
  expect(kept).not.toContain("s3cret");
});

test("another clone with the same commits has its own cache", async () => {
  await using dir = await tempDir();
  const keepIn = join(dir.path, "kept");
  const [one, two] = [join(dir.path, "one"), join(dir.path, "two")];
  for (const cwd of [one, two]) {
    await mkdir(cwd);
    clone(cwd);
  }
  await ask({ cwd: one, keepIn });
  expect(await isKept({ cwd: two, keepIn })).toBe(false);
  // The same applies if it has the same path.
  await rm(one, { recursive: true });
  await rename(two, one);
  expect(await isKept({ cwd: one, keepIn })).toBe(false);
});
