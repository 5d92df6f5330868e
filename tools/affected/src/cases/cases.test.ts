import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "@skein/reporting";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { affected } from "../run.js";
import type { AffectedWorld } from "../world.js";
import { applyStep, commitAll } from "./apply.test.support.js";
import {
  casesFolder,
  expandNames,
  readCases,
  workspaceFiles,
} from "./case.test.support.js";
import type { Case } from "./case.test.support.js";

let temp: Awaited<ReturnType<typeof tempDir>>;

beforeAll(async () => {
  temp = await tempDir("skein-cases-");
  const repo = join(temp.path, "base");
  mkdirSync(repo);
  const lock = readFileSync(new URL("locks/base.lock", casesFolder));
  buildHistory(repo, [{ files: { ...workspaceFiles(), "yarn.lock": lock } }]);
  // Samples that git puts there: each case would copy them.
  rmSync(join(repo, ".git/hooks"), { recursive: true, force: true });
});

afterAll(async () => temp[Symbol.asyncDispose]());

/** Makes the copy of the fixture repository that a case asks about. */
function prepare(dir: string, { before, steps, leave }: Case): void {
  const repo = join(dir, "repo");
  cpSync(join(temp.path, "base"), repo, {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const step of before ?? []) applyStep(dir, step);
  if (before) commitAll(repo, "before");
  gitIn(repo, "checkout", "--quiet", "-b", "change");
  for (const step of steps) applyStep(dir, step);
  if (!leave) commitAll(repo, "change");
}

interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function ask(dir: string, each: Case): Promise<Answer> {
  const {
    args = ["list", "--base", "main"],
    stdin = "",
    cwd = "repo",
    env,
  } = each;
  let [stdout, stderr] = ["", ""];
  const world: AffectedWorld = {
    node: process,
    argv: args.map((arg) => arg.replaceAll("{dir}", dir)),
    // One index for all cases: it goes by blob id, and none may take another's files for its own.
    env: {
      ...gitTestEnv,
      // Whatever repository the system's temporary folder may be in is not asked.
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
    token: "token",
    signal: new AbortController().signal,
  };
  const exitCode = await runCli("affected", world, affected);
  const told = stderr
    .replaceAll(dir, "{dir}")
    .replaceAll(/\b[0-9a-f]{40}\b/g, (id) =>
      each.args?.includes(id) ? id : "{commit}",
    );
  return { exitCode, stdout, stderr: told };
}

/** The root runs nothing of its own unless it is asked to: what it does is not at stake here. */
const ROOT = "orchestra";

describe.each(readCases())("%s", (kind, cases) => {
  test.each(cases.map((each) => [each.id, each.title, each] as const))(
    "%s: %s",
    async (id, _, each) => {
      const dir = join(temp.path, `${kind}-${id}`);
      mkdirSync(dir);
      prepare(dir, each);
      const { exitCode, stdout, stderr } = await ask(dir, each);
      const got = stdout
        .split("\n")
        .filter((name) => name !== "" && name !== ROOT);
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

test("there are enough cases, and no two of one name", () => {
  const ids = readCases().flatMap(([, cases]) => cases.map(({ id }) => id));
  expect(ids.length).toBeGreaterThanOrEqual(120);
  expect(ids.length).toBe(new Set(ids).size);
});
