import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { applyStep, commitAll, lockfile } from "./apply.test.support.js";
import { openAsker } from "./ask.test.support.js";
import type { Answer, Asker, CommandQuestion } from "./ask.test.support.js";
import { expandNames, readCases, workspaceFiles } from "./case.test.support.js";
import type { Case } from "./case.test.support.js";
import { commitCases, isCommitted } from "./memory.test.support.js";
import type { CommittedCases } from "./memory.test.support.js";
import { copyTree, shareRepository } from "./shared.test.support.js";
import type { SharedRepository } from "./shared.test.support.js";

const allCases = readCases();
let temp: Awaited<ReturnType<typeof tempDir>>;
let shared: SharedRepository;
let committed: CommittedCases;
let asker: Asker;

beforeAll(async () => {
  asker = openAsker();
  temp = await tempDir("skein-cases-");
  const base = join(temp.path, "base");
  mkdirSync(base);
  const files = { ...workspaceFiles(), "yarn.lock": lockfile("base") };
  buildHistory(base, [{ files }]);
  // Git puts sample hooks there, which each case would copy.
  rmSync(join(base, ".git/hooks"), { recursive: true, force: true });
  gitIn(base, "checkout", "--quiet", "-b", "change");
  shared = shareRepository(base, join(temp.path, "shared"));
  const cases = allCases.flatMap(([, each]) => each);
  const dir = join(temp.path, "committed");
  committed = commitCases(dir, files, cases.filter(isAboutCommits));
  // Stores an index of the commit with which all cases begin, so that none of them makes one of commits that others lack.
  const args = ["graph", "--format", "json"];
  const none = { id: "", title: "", steps: [], args };
  expect(await ask(shared.dir, none, "checked out")).toHaveProperty(
    "exitCode",
    0,
  );
});

afterAll(async () => {
  asker.close();
  await temp[Symbol.asyncDispose]();
}, 600_000);

/** The location of a case: a folder that contains the fixture repository as `repo`. */
interface Place {
  readonly dir: string;
  begin(): void;
  end(): void;
}

/**
 * Returns the location of a case with a working tree. Cases that only write files share a repository. Each begins with a new
 * .git and the original files, because copying everything took longer than all other work. Other cases have their own
 * folder, which is deleted afterwards: hundreds of repositories are slow on a slow disk.
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

/** How a case is checked: by its commits alone, or with a working tree; and whether against the law of fingerprints, too. */
type Way =
  | "committed"
  | "committed, by law"
  | "checked out"
  | "checked out, by law";

/** One in so many cases has a working tree, and is checked against the law. `SKEIN_ALL_CASES=1` asks all in both ways. */
const EVERY = process.env["SKEIN_ALL_CASES"] ? 1 : 20;
let asked = 0;

/** Options of `list` with which the answer depends on the working tree only if something in it isn't committed. */
const COMPARES_MAIN = ["list", "--base", "main"];

function isAboutCommits(each: Case): boolean {
  const { args = COMPARES_MAIN, stdin, env, exitCode } = each;
  return (
    isCommitted(each) &&
    [stdin, env, exitCode].every((field) => field === undefined) &&
    COMPARES_MAIN.every((word, index) => args[index] === word)
  );
}

function waysFor(each: Case): readonly Way[] {
  const isNext = each.args === undefined && asked++ % EVERY === 0;
  const onDisk = isNext || each.law ? "checked out, by law" : "checked out";
  if (!isAboutCommits(each)) return [onDisk];
  const alone = each.law ? "committed, by law" : "committed";
  if (EVERY === 1) return [alone, onDisk];
  return [isNext ? onDisk : alone];
}

/** Returns whether only the commits count. */
function isAlone(way: Way): boolean {
  return way.startsWith("committed");
}

const ARGS = ["list", "--base", "main", "--json"];

async function ask(dir: string, each: Case, way: Way): Promise<Answer> {
  const { args = ARGS, stdin = "", cwd = "repo", env } = each;
  const question: CommandQuestion = {
    kind: "command",
    argv: [
      ...args.map((arg) => arg.replaceAll("{dir}", dir)),
      ...(isAlone(way) ? ["--committed"] : []),
    ],
    // All cases share one index. It uses blob ids as keys, and no case may mistake another case's files for its own.
    env: {
      ...gitTestEnv,
      // Git must not find a repository that contains the system's temporary folder.
      GIT_CEILING_DIRECTORIES: temp.path,
      SKEIN_CACHE_DIR: join(temp.path, "cache"),
      ...env,
    },
    cwd: join(dir, cwd),
    stdin,
  };
  const { exitCode, stdout, stderr } = await asker.ask(question);
  if (exitCode === 0 && way.endsWith("by law"))
    await holdLaw(question, stdout, isAlone(way) ? "HEAD" : undefined);
  const reported = stderr
    .replaceAll(dir, "{dir}")
    .replaceAll(/\b[0-9a-f]{40}\b/g, (id) =>
      each.args?.includes(id) ? id : "{commit}",
    );
  return { exitCode, stdout, stderr: reported };
}

/** Fingerprints by commit, because many cases begin with the same one. */
const known = new Map<string, ReadonlyMap<string, string | undefined>>();

async function fingerprintsAt(
  question: CommandQuestion,
  head: string | undefined,
) {
  return new Map(await asker.ask({ ...question, kind: "fingerprints", head }));
}

function mergeBases({ cwd }: CommandQuestion): readonly string[] {
  return gitIn(cwd, "merge-base", "--all", "main", "HEAD").trim().split("\n");
}

/**
 * Checks that packages that `list` selects have other fingerprints than at base, and that all other packages have the
 * same. If the working tree undoes a commit, or if there are several merge bases, `list` selects everything that any
 * step changes, so it may select more.
 * @param head the commit whose fingerprints count. Default: those of the working tree
 */
async function holdLaw(
  question: CommandQuestion,
  answer: string,
  head: string | undefined,
): Promise<void> {
  const { base, packages, changes, unknown } = JSON.parse(answer) as {
    readonly base: { readonly commit: string } | null;
    readonly packages: readonly { readonly name: string }[];
    readonly changes: readonly { readonly origin: string }[];
    readonly unknown: readonly unknown[];
  };
  if (!base || unknown.length > 0) return;
  const before =
    known.get(base.commit) ?? (await fingerprintsAt(question, base.commit));
  known.set(base.commit, before);
  const now = await fingerprintsAt(question, head);
  const selected = new Set(packages.map(({ name }) => name));
  const differing = [...now].flatMap(([name, fields]) =>
    fields === undefined || before.get(name) !== fields ? [name] : [],
  );
  expect(differing.filter((name) => !selected.has(name))).toEqual([]);
  const more = [...selected].filter((name) => !differing.includes(name));
  const isExact = () =>
    changes.every(({ origin }) => origin === "committed") &&
    mergeBases(question).length === 1;
  expect(more.length > 0 && isExact() ? more : []).toEqual([]);
}

/** The root. Its own script doesn't run by default, so these checks ignore it. */
const ROOT = "orchestra";

async function answerTo(kind: string, each: Case, way: Way): Promise<Answer> {
  if (isAlone(way)) {
    committed.choose(each);
    return ask(committed.dir, each, way);
  }
  const place = placeOf(kind, each);
  try {
    place.begin();
    carryOut(place.dir, each);
    return await ask(place.dir, each, way);
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

describe.each(allCases)("%s", (kind, cases) => {
  test.each(cases.map((each) => [each.id, each.title, each] as const))(
    "%s: %s",
    async (_id, _title, each) => {
      const answers: string[][] = [];
      for (const way of waysFor(each)) {
        const { exitCode, stdout, stderr } = await answerTo(kind, each, way);
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
        answers.push(got);
        expect(got).toEqual(answers[0]);
      }
    },
  );
});

test("the cases that shared a repository left it as it was", () => {
  shared.begin();
  const repo = join(shared.dir, "repo");
  expect(gitIn(repo, "status", "--porcelain", "--ignored")).toBe("");
});

test("there are enough cases, and no two of one name", () => {
  const ids = allCases.flatMap(([, cases]) => cases.map(({ id }) => id));
  expect(ids.length).toBeGreaterThanOrEqual(120);
  expect(ids.length).toBe(new Set(ids).size);
});
