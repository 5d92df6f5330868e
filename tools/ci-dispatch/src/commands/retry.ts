import { resolve } from "node:path";
import { ciOf } from "@skein/ci";
import { ExitCode, inertLog } from "@skein/reporting";
import { appendOutputs } from "@skein/reporting/actions-files";
import type { RetryCommand } from "../command.js";
import { matrixOf } from "../plan/jobs/matrix.js";
import { readPlan } from "../plan/file/read-plan.js";
import { renderRetriable } from "../render/render-retriable.js";
import { judge } from "../verdict/judge.js";
import { layoutOf } from "../verdict/layout.js";
import { readAttestations } from "../verdict/read-attestations.js";
import { retriable, unrunJobs } from "../verdict/retriable.js";
import type { DispatchWorld } from "../world.js";

/**
 * Runs `ci-dispatch retry`: prints the jobs that are worth another machine, as a matrix. It judges nothing: its exit
 * code is 0.
 */
export async function retry(
  world: DispatchWorld,
  command: RetryCommand,
): Promise<number> {
  const { cwd, env, stdout } = world;
  const plan = await readPlan(cwd, command.plan, command.planId);
  const layout = layoutOf(env, { ...command, kind: command.layout });
  const { found } = await readAttestations(
    resolve(cwd, command.attestations),
    layout,
  );
  const { attempt = ciOf(env).run.attempt } = command;
  const unrun = unrunJobs(plan, found, attempt, layout);
  const jobs = retriable(plan, judge(plan, found, [], layout), unrun);
  const again = new Set(jobs.map(({ job }) => job));
  const outputs = matrixOf(plan.jobs.filter(({ id }) => again.has(id)));
  await appendOutputs(env, outputs, world.unguessable());
  stdout.write(
    command.json
      ? `${JSON.stringify({ version: 1, plan: plan.id, jobs }, null, 2)}\n`
      : inertLog(renderRetriable(jobs)),
  );
  return ExitCode.Ok;
}
