import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { runCli } from "@skein/reporting";
import { buildHistory, gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { affected } from "../run.js";
import { applyStep, commitAll } from "./apply.test.support.js";
import { casesFolder, readCases, workspaceFiles } from "./case.test.support.js";
import type { Case } from "./case.test.support.js";
import { copyTree } from "./shared.test.support.js";

/** `SKEIN_PARTIAL_CASES=1` uses every recipe, which takes ten minutes or more. The default is every 61st. */
const EVERY = Number(process.env["SKEIN_PARTIAL_CASES"] ?? 61);

/** Recipes that only make commits, because a clone contains no uncommitted files. */
const committed = readCases()
  .flatMap(([, cases]) => cases)
  .filter(
    ({ leave, args, cwd, steps, before = [] }) =>
      !leave &&
      args === undefined &&
      cwd === undefined &&
      ![...steps, ...before].some((step) => "git" in step),
  )
  .filter((_, index) => index % EVERY === 0);

test("a shallow clone without files answers each recipe as the whole clone does", async () => {
  await using temp = await tempDir("skein-partial-");
  const base = join(temp.path, "base");
  mkdirSync(base);
  const lock = readFileSync(new URL("locks/base.lock", casesFolder));
  buildHistory(base, [{ files: { ...workspaceFiles(), "yarn.lock": lock } }]);
  gitIn(base, "config", "uploadpack.allowFilter", "true");
  gitIn(base, "config", "uploadpack.allowReachableSHA1InWant", "true");
  gitIn(base, "checkout", "--quiet", "-b", "change");
  for (const each of committed) {
    const dir = join(temp.path, each.id);
    copyTree(base, join(dir, "repo"));
    const whole = await carryOut(dir, each);
    expect([each.id, await answerInClone(dir, whole.base)]).toEqual([
      each.id,
      whole.answer,
    ]);
  }
  expect(committed.length).toBeGreaterThan(5);
}, 3_600_000);

/** Makes the recipe's commits, and runs the tool in the complete clone. */
async function carryOut(dir: string, { before = [], steps }: Case) {
  const repo = join(dir, "repo");
  for (const step of before) applyStep(dir, step);
  if (before.length > 0) commitAll(repo, "before");
  const base = gitIn(repo, "rev-parse", "HEAD").trim();
  for (const step of steps) applyStep(dir, step);
  commitAll(repo, "change");
  return { base, answer: await ask(repo, base) };
}

/** Runs the tool in a clone like that of a workflow's planning job: one commit deep, without files. */
async function answerInClone(dir: string, base: string) {
  const flags = ["--depth=1", "--filter=blob:none", "--no-checkout"];
  const clone = ["clone", "--quiet", ...flags, "--branch=change"];
  gitIn(dir, ...clone, `file://${join(dir, "repo")}`, "clone");
  return ask(join(dir, "clone"), base);
}

async function ask(cwd: string, base: string) {
  let [stdout, stderr] = ["", ""];
  const world = {
    node: process,
    argv: ["list", "--since", base, "--committed", "--json"],
    env: { ...gitTestEnv },
    cwd,
    stdin: Readable.from([]),
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
    now: () => 0,
    token: () => "token",
    signal: new AbortController().signal,
  };
  const exitCode = await runCli("affected", world, affected);
  return { exitCode, stdout, stderr };
}
