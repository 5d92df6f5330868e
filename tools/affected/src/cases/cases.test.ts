import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "@skein/reporting";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { readTree, surveyTree } from "../fingerprints/open-tree.js";
import { affected } from "../run.js";
import { misfits } from "../schemas.test.support.js";
import type { AffectedWorld } from "../world.js";
import { applyStep, commitAll } from "./apply.test.support.js";
import {
  casesFolder,
  expandNames,
  readCases,
  workspaceFiles,
} from "./case.test.support.js";
import type { Case } from "./case.test.support.js";
import { copyTree, shareRepository } from "./shared.test.support.js";
import type { SharedRepository } from "./shared.test.support.js";

let temp: Awaited<ReturnType<typeof tempDir>>;
let shared: SharedRepository;

beforeAll(async () => {
  temp = await tempDir("skein-cases-");
  const base = join(temp.path, "base");
  mkdirSync(base);
  const lock = readFileSync(new URL("locks/base.lock", casesFolder));
  const files = { ...workspaceFiles(), "yarn.lock": lock };
  buildHistory(base, [{ files }]);
  // Git puts sample hooks there, which each case would copy.
  rmSync(join(base, ".git/hooks"), { recursive: true, force: true });
  gitIn(base, "checkout", "--quiet", "-b", "change");
  shared = shareRepository(base, join(temp.path, "shared"));
});

afterAll(async () => {
  await temp[Symbol.asyncDispose]();
}, 600_000);

/** The location of a case: a folder that contains the fixture repository as `repo`. */
interface Place {
  readonly dir: string;
  begin(): void;
  end(): void;
}

/**
 * Returns the location of a case. Cases that only write files share a repository. Each begins with a new .git and the
 * original files, because copying everything took longer than all other work. Other cases have their own folder, which
 * is deleted afterwards: hundreds of repositories are slow on a slow disk.
 */
function placeOf(kind: string, each: Case): Place {
  const { id, before = [], steps, cwd = "repo" } = each;
  const all = [...before, ...steps];
  if (/^repo(?:\/|$)/.test(cwd) && !all.some((step) => "git" in step)) {
    return {
      dir: shared.dir,
      begin: () => {
        shared.begin();
      },
      end: () => {
        shared.restore(all);
      },
    };
  }
  const dir = join(temp.path, `${kind}-${id}`);
  return {
    dir,
    begin: () => {
      copyTree(join(temp.path, "base"), join(dir, "repo"));
    },
    end: () => {
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Turns the fixture repository into the one that a case is about. */
function carryOut(dir: string, { before, steps, leave }: Case): void {
  const repo = join(dir, "repo");
  for (const step of before ?? []) applyStep(dir, step);
  if (before) commitAll(repo, "before", "main");
  for (const step of steps) applyStep(dir, step);
  if (!leave) commitAll(repo, "change");
}

interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const ARGS = ["list", "--base", "main", "--json"];

/**
 * One in so many cases is checked against the law of fingerprints. `SKEIN_LAW_CASES=1` checks all, which takes twice as
 * long.
 */
const EVERY = process.env["SKEIN_LAW_CASES"] ? 1 : 5;
let asked = 0;

async function ask(dir: string, each: Case): Promise<Answer> {
  const { args = ARGS, stdin = "", cwd = "repo", env } = each;
  let [stdout, stderr] = ["", ""];
  const world: AffectedWorld = {
    node: process,
    argv: args.map((arg) => arg.replaceAll("{dir}", dir)),
    // All cases share one index. It uses blob ids as keys, and no case may mistake another case's files for its own.
    env: {
      ...gitTestEnv,
      // Git must not find a repository that contains the system's temporary folder.
      GIT_CEILING_DIRECTORIES: temp.path,
      SKEIN_CACHE_DIR: join(temp.path, "cache"),
      ...env,
    },
    cwd: join(dir, cwd),
    stdin: (async function* () {
      yield await Promise.resolve(Buffer.from(stdin));
    })(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    now: () => 0,
    token: () => "token",
    signal: new AbortController().signal,
  };
  const exitCode = await runCli("affected", world, affected);
  if (exitCode === 0 && args === ARGS && asked++ % EVERY === 0)
    await holdLaw(world, stdout);
  const told = stderr
    .replaceAll(dir, "{dir}")
    .replaceAll(/\b[0-9a-f]{40}\b/g, (id) =>
      each.args?.includes(id) ? id : "{commit}",
    );
  return { exitCode, stdout, stderr: told };
}

/** Fingerprints by commit, because most cases begin with the same one. */
const known = new Map<string, Awaited<ReturnType<typeof fingerprintsAt>>>();

async function fingerprintsAt(world: AffectedWorld, head: string | undefined) {
  const { kept } = await readTree(
    world,
    await surveyTree(world, head),
    undefined,
  );
  return new Map(
    kept.units.map(({ name, fingerprint }) => [
      name,
      fingerprint && JSON.stringify({ ...fingerprint, variables: [] }),
    ]),
  );
}

function mergeBases({ cwd }: AffectedWorld): readonly string[] {
  return gitIn(cwd, "merge-base", "--all", "main", "HEAD").trim().split("\n");
}

/**
 * Checks that packages that `list` selects have other fingerprints than at base, and that all other packages have the
 * same. If the working tree undoes a commit, or if there are several merge bases, `list` selects everything that any
 * step changes, so it may select more.
 */
async function holdLaw(world: AffectedWorld, answer: string): Promise<void> {
  const { base, packages, changes, unknown } = JSON.parse(answer) as {
    readonly base: { readonly commit: string } | null;
    readonly packages: readonly { readonly name: string }[];
    readonly changes: readonly { readonly origin: string }[];
    readonly unknown: readonly unknown[];
  };
  if (!base || unknown.length > 0) return;
  const before =
    known.get(base.commit) ?? (await fingerprintsAt(world, base.commit));
  known.set(base.commit, before);
  const now = await fingerprintsAt(world, undefined);
  const selected = new Set(packages.map(({ name }) => name));
  const differing = [...now].flatMap(([name, fields]) =>
    fields === undefined || before.get(name) !== fields ? [name] : [],
  );
  expect(differing.filter((name) => !selected.has(name))).toEqual([]);
  const isExact =
    changes.every(({ origin }) => origin === "committed") &&
    new Set(mergeBases(world)).size === 1;
  if (isExact)
    expect([...selected].filter((name) => !differing.includes(name))).toEqual(
      [],
    );
}

/** The root. Its own script doesn't run by default, so these checks ignore it. */
const ROOT = "orchestra";

async function answerTo(kind: string, each: Case): Promise<Answer> {
  const place = placeOf(kind, each);
  try {
    place.begin();
    carryOut(place.dir, each);
    return await ask(place.dir, each);
  } finally {
    place.end();
  }
}

/** Returns the packages of an answer: one name per line, or JSON, which must match its schema. */
function namesIn(stdout: string): string[] {
  if (!stdout.startsWith("{"))
    return stdout.split("\n").filter((name) => name !== "");
  const answer = JSON.parse(stdout) as { packages: { name: string }[] };
  expect(misfits("list", answer)).toEqual([]);
  return answer.packages.map(({ name }) => name);
}

describe.each(readCases())("%s", (kind, cases) => {
  test.each(cases.map((each) => [each.id, each.title, each] as const))(
    "%s: %s",
    async (_id, _title, each) => {
      const { exitCode, stdout, stderr } = await answerTo(kind, each);
      const got = namesIn(stdout).filter((name) => name !== ROOT);
      const must = expandNames(each.must ?? []);
      const may = new Set([...must, ...expandNames(each.may ?? [])]);
      expect({
        exitCode,
        stderr,
        missing: must.filter((name) => !got.includes(name)),
        over: got.filter((name) => !may.has(name)),
      }).toEqual({
        exitCode: each.exitCode ?? 0,
        stderr: each.stderr ?? "",
        missing: [],
        over: [],
      });
    },
  );
});

test("the cases that shared a repository left it as it was", () => {
  shared.begin();
  const repo = join(shared.dir, "repo");
  expect(gitIn(repo, "status", "--porcelain", "--ignored")).toBe("");
});

test("there are enough cases, and no two of one name", () => {
  const ids = readCases().flatMap(([, cases]) => cases.map(({ id }) => id));
  expect(ids.length).toBeGreaterThanOrEqual(120);
  expect(ids.length).toBe(new Set(ids).size);
});
