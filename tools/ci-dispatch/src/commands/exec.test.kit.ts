import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { dispatchIn } from "../cli.test.kit.js";
import type { Attestation } from "../attestation.js";
import { sealed } from "../verdict/judge.test.kit.js";

const jestBin = createRequire(import.meta.url).resolve("jest/bin/jest");
/** Jest without Babel, which these tests don't need, and which takes as long to load as the rest. */
export const jest = `node ${jestBin} --transform='{}'`;
/** Returns a test file with one test that passes. */
export const passing = (name: string) => `test("${name}", () => {});\n`;
/** A test file that fails on its first run in this folder, and passes afterwards. */
export const once = `
const fs = require("fs");
test("flakes", () => {
  const counter = __dirname + "/counter";
  const runs = fs.existsSync(counter) ? fs.readFileSync(counter, "utf8").length : 0;
  fs.appendFileSync(counter, "x");
  expect(runs).toBeGreaterThan(0);
});
`;

/** A plan, with the properties that tests change. */
export interface PlanFile {
  jobs: {
    id: string;
    units: {
      id: string;
      workspace: string;
      timeoutMs: number;
      shard: unknown;
      whole: string;
    }[];
  }[];
}

/** Plans a job for each changed package. The plan is next to the workspace's folder. */
export async function planEach(dir: string): Promise<void> {
  const { exitCode, stderr } = await dispatchIn(dir, [
    ...["plan", "--base=main", "--one-package-per-job"],
    "--output=../plan.json",
  ]);
  if (exitCode !== 0) throw new Error(stderr);
}

/**
 * Runs the job of one package and reads its attestation.
 * @param dir the workspace's folder; its plan and its attestations are next to it
 */
export async function execJob(
  dir: string,
  workspace: string,
  plan = "../plan.json",
  env: Readonly<Record<string, string>> = {},
) {
  const { jobs } = await readPlanFile(dir, plan);
  const job =
    jobs.find(({ units }) => units[0]?.workspace === workspace)?.id ?? "";
  const args = [`--plan=${plan}`, "--attestations=../attestations"];
  const ended = await dispatchIn(dir, ["exec", `--job=${job}`, ...args], env);
  const attestation = JSON.parse(
    await readFile(join(dir, `../attestations/${job}.1.1.json`), "utf8"),
  ) as Attestation;
  return { ...ended, attestation, unit: attestation.units[0] };
}

/**
 * Writes the plan with other shards or timeouts.
 * @returns its path
 */
export async function changedPlan(
  dir: string,
  name: string,
  change: (plan: PlanFile) => void,
): Promise<string> {
  const plan = await readPlanFile(dir, "../plan.json");
  change(plan);
  await writeFile(join(dir, "..", name), JSON.stringify(sealed(plan)));
  return `../${name}`;
}

/**
 * Writes the plan with a package's unit in shards, all in its job.
 * @returns its path
 */
export function shardedPlan(
  dir: string,
  name: string,
  shards: readonly (readonly string[])[],
): Promise<string> {
  return changedPlan(dir, `${name}-shards.json`, ({ jobs }) => {
    const job = jobs.find(({ units }) => units[0]?.workspace === name);
    const [unit] = job?.units ?? [];
    if (!job || !unit) throw new Error("the fixture has no such job");
    job.units = shards.map((files, index) => ({
      ...unit,
      id: `${unit.whole}[${index + 1}/${shards.length}]`,
      shard: { index: index + 1, count: shards.length, files },
    }));
  });
}

async function readPlanFile(dir: string, plan: string): Promise<PlanFile> {
  return JSON.parse(await readFile(join(dir, plan), "utf8")) as PlanFile;
}
