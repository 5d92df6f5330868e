import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { runCli } from "@skein/reporting";
import { gitIn, gitTestEnv, tempDir } from "@skein/testing";
import { affected } from "../run.js";
import { lockfile } from "./apply.test.support.js";
import { readCases, workspaceFiles } from "./case.test.support.js";
import { commitCases, isCommitted } from "./memory.test.support.js";

/** `SKEIN_PARTIAL_CASES=1` uses every recipe, which takes ten minutes or more. The default is every 61st. */
const EVERY = Number(process.env["SKEIN_PARTIAL_CASES"] ?? 61);

/** Recipes that only make commits, because a clone contains no uncommitted files. */
const committed = readCases()
  .flatMap(([, cases]) => cases)
  .filter((each) => isCommitted(each) && each.args === undefined)
  .filter((_, index) => index % EVERY === 0);

test("a shallow clone without files answers each recipe as the whole clone does", async () => {
  await using temp = await tempDir("skein-partial-");
  const files = { ...workspaceFiles(), "yarn.lock": lockfile("base") };
  const whole = commitCases(temp.path, files, committed);
  const repo = join(temp.path, "repo");
  gitIn(repo, "config", "uploadpack.allowFilter", "true");
  gitIn(repo, "config", "uploadpack.allowReachableSHA1InWant", "true");
  for (const each of committed) {
    whole.choose(each);
    const base = gitIn(repo, "rev-parse", "main").trim();
    // A clone like that of a workflow's planning job: one commit deep, without files.
    const flags = ["--depth=1", "--filter=blob:none", "--no-checkout"];
    gitIn(temp.path, "clone", "--quiet", ...flags, `file://${repo}`, each.id);
    const answer = await ask(join(temp.path, each.id), base);
    expect([each.id, answer]).toEqual([each.id, await ask(repo, base)]);
  }
  expect(committed.length).toBeGreaterThan(5);
}, 3_600_000);

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
