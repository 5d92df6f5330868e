import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { appendOutputs, appendSummary, inertLog } from "@skein/reporting";
import type { VerdictCommand } from "../command.js";
import { readPlan } from "../plan/read-plan.js";
import { renderVerdictJunit } from "../render/render-junit.js";
import {
  renderVerdict,
  renderVerdictJson,
  renderVerdictMarkdown,
} from "../render/render-verdict.js";
import { sinceBegan, timeLine } from "../render/time-line.js";
import type { Verdict } from "../verdict.js";
import { judge } from "../verdict/judge.js";
import { layoutOf } from "../verdict/layout.js";
import { readAttestations } from "../verdict/read-attestations.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch verdict`: the plan minus the attestations. Its exit code is the one required check. */
export async function verdict(
  world: DispatchWorld,
  command: VerdictCommand,
): Promise<number> {
  const { stdout } = world;
  const judged = await judgeFiles(world, command);
  const times = timesOf(world, command, judged).replaceAll("`", "").trim();
  const width = stdout.isTTY ? stdout.columns : undefined;
  stdout.write(
    command.json
      ? renderVerdictJson(judged)
      : inertLog(
          `${renderVerdict(judged, width)}${times === "" ? "" : `${times}\n`}`,
        ),
  );
  return judged.exitCode;
}

/**
 * Judges a plan by the files of a folder, and writes the verdict's files, and the step's summary and outputs. It prints
 * nothing on stdout.
 */
export async function judgeFiles(
  world: DispatchWorld,
  command: VerdictCommand,
): Promise<Verdict> {
  const { cwd, env } = world;
  const plan = await readPlan(cwd, command.plan, command.planId);
  const layout = layoutOf(env, { ...command, kind: command.layout });
  const { found, refused } = await readAttestations(
    resolve(cwd, command.attestations),
    layout,
  );
  const judged = judge(plan, found, refused, layout);
  const files: readonly [string | undefined, string][] = [
    [command.junit, renderVerdictJunit(judged)],
    [command.report, renderVerdictJson(judged)],
    [command.summary, renderVerdictMarkdown(judged)],
  ];
  for (const [name, text] of files) {
    if (name === undefined) continue;
    const file = resolve(cwd, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const times = timesOf(world, command, judged);
  await appendSummary(env, () => `${renderVerdictMarkdown(judged)}${times}`);
  const { colour, exitCode } = judged;
  const outputs = { verdict: colour, "exit-code": String(exitCode) };
  await appendOutputs(env, outputs, world.unguessable());
  return judged;
}

function timesOf(
  world: DispatchWorld,
  { plannedMs, began }: VerdictCommand,
  judged: Verdict,
): string {
  return timeLine(judged, {
    plannedMs,
    judgedMs: sinceBegan(world.now(), began),
  });
}
