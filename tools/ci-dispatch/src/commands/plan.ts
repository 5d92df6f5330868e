import { resolve } from "node:path";
import { ExitCode, inertLog, printable, writeText } from "@skein/reporting";
import { appendOutputs, appendSummary } from "@skein/reporting/actions-files";
import type { PlanCommand } from "../command.js";
import { writePipeline } from "../pipeline/write-pipeline.js";
import { matrixOutputs } from "../plan/jobs/matrix.js";
import { assertPools, readPools } from "../plan/jobs/pools.js";
import { renderExplanation } from "../render/render-explain.js";
import {
  renderPlan,
  renderPlanJson,
  renderPlanMarkdown,
} from "../render/render-plan.js";
import { sinceBegan } from "../render/time-line.js";
import { surveyPlan } from "../plan/survey.js";
import { openCachedIndex } from "../plan/facts/trusted-index.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch plan`: writes the plan to a file and to the step's outputs, and describes it on stdout. */
export async function plan(
  world: DispatchWorld,
  command: PlanCommand,
): Promise<number> {
  const { stdout, stderr, env, cwd } = world;
  const known =
    command.pools === undefined ? undefined : readPools(command.pools);
  const index =
    command.index === undefined
      ? undefined
      : openCachedIndex(resolve(cwd, command.index));
  const made = await surveyPlan(world, { ...command, index });
  if (known) assertPools(made, known, "the input `pools` of the workflow");
  if (command.output !== undefined)
    await writeText(cwd, command.output, renderPlanJson(made));
  if (command.pipeline !== undefined && command.output !== undefined)
    await writePipeline(cwd, made, command.pipeline, command.output);
  for (const what of made.alters ?? [])
    stderr.write(
      `note: the change alters what is tested: ${printable(what)}\n`,
    );
  for (const note of made.notes) stderr.write(`note: ${note}\n`);
  const outputs = command.matrix
    ? matrixOutputs(made)
    : { any: String(made.jobs.length > 0), plan: made.id };
  const digest = await index?.newDigest();
  const plannedMs = sinceBegan(world.now(), command.began);
  await appendOutputs(
    env,
    {
      ...outputs,
      ...(digest !== undefined && { index: digest }),
      ...(plannedMs !== undefined && { "planned-ms": String(plannedMs) }),
    },
    world.unguessable(),
  );
  await appendSummary(env, () => renderPlanMarkdown(made));
  if (command.explain !== undefined)
    stdout.write(inertLog(renderExplanation(made, command.explain)));
  else if (command.json) stdout.write(renderPlanJson(made));
  else
    stdout.write(
      inertLog(renderPlan(made, stdout.isTTY ? stdout.columns : undefined)),
    );
  return ExitCode.Ok;
}
