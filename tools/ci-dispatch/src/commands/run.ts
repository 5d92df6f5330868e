import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { RunCommand } from "../command.js";
import { runWorkers } from "../local/run-workers.js";
import { surveyPlan } from "../plan/survey.js";
import { renderPlanJson } from "../render/render-plan.js";
import { DEFAULT_NAME } from "../verdict/layout.js";
import { verdict } from "./verdict.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch run`: the plan, all jobs and the verdict on this machine, so that people see what CI sees. */
export async function run(
  world: DispatchWorld,
  command: RunCommand,
): Promise<number> {
  const { cwd, stderr } = world;
  const workers = command.workers ?? Math.max(1, availableParallelism() >> 1);
  const plan = await surveyPlan(world, { ...command, workers });
  for (const note of plan.notes) stderr.write(`note: ${note}\n`);
  const folder =
    command.directory === undefined
      ? await mkdtemp(join(tmpdir(), "ci-dispatch-run-"))
      : resolve(cwd, command.directory);
  const attestations = join(folder, "attestations");
  await mkdir(attestations, { recursive: true });
  const file = join(folder, "plan.json");
  await writeFile(file, renderPlanJson(plan));
  await runWorkers(world, {
    plan,
    file,
    attestations,
    workers,
  });
  const exitCode = await verdict(world, {
    kind: "verdict",
    plan: file,
    planId: plan.id,
    attestations,
    layout: "files",
    name: DEFAULT_NAME,
    junit: join(folder, "junit.xml"),
    report: join(folder, "verdict.json"),
    summary: undefined,
    coverage: join(folder, "coverage"),
    json: false,
  });
  stderr.write(`plan, attestations and reports: ${folder}\n`);
  return exitCode;
}
