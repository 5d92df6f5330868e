import { join, resolve } from "node:path";
import { inertLog, printable, writeText } from "@skein/reporting";
import { appendOutputs, appendSummary } from "@skein/reporting/actions-files";
import type { VerdictCommand } from "../command.js";
import type { Plan } from "../plan.js";
import { readPlan } from "../plan/file/read-plan.js";
import { renderVerdictJunit } from "../render/render-junit.js";
import {
  renderVerdict,
  renderVerdictJson,
  renderVerdictMarkdown,
} from "../render/render-verdict.js";
import { sinceBegan, timeLine } from "../render/time-line.js";
import type { Verdict } from "../verdict.js";
import { judge } from "../verdict/judge.js";
import { layoutOf, type Layout } from "../verdict/layout.js";
import { readAttestations, type Found } from "../verdict/read-attestations.js";
import { selectAttestations } from "../verdict/select-attestations.js";
import type { DispatchWorld } from "../world.js";

/** Runs `ci-dispatch verdict`: the plan minus the attestations. Its exit code is the one required check. */
export async function verdict(
  world: DispatchWorld,
  command: VerdictCommand,
): Promise<number> {
  const { stdout } = world;
  const { judged, coverage } = await judgeFiles(world, command);
  const times = timesOf(world, command, judged).replaceAll("`", "").trim();
  const width = stdout.isTTY ? stdout.columns : undefined;
  stdout.write(
    command.json
      ? renderVerdictJson(judged)
      : inertLog(
          [renderVerdict(judged, width), times, coverage]
            .filter((text) => text !== "")
            .map((text) => text.replace(/\n?$/, "\n"))
            .join(""),
        ),
  );
  return judged.exitCode;
}

/**
 * Judges a plan by the files of a folder, and writes the verdict's files, and the step's summary and outputs. It prints
 * nothing on stdout.
 * @returns the verdict, and a line about the merged coverage; empty without any
 */
export async function judgeFiles(
  world: DispatchWorld,
  command: VerdictCommand,
): Promise<{ readonly judged: Verdict; readonly coverage: string }> {
  const { cwd, env } = world;
  const plan = await readPlan(cwd, command.plan, command.planId);
  const layout = layoutOf(env, { ...command, kind: command.layout });
  const { found, refused } = await readAttestations(
    resolve(cwd, command.attestations),
    layout,
  );
  const judged = judge(plan, found, refused, layout);
  const coverage = await writeCoverage(world, command, plan, found, layout);
  const files: readonly [string | undefined, string][] = [
    [command.junit, renderVerdictJunit(judged)],
    [command.report, renderVerdictJson(judged)],
    [command.summary, renderVerdictMarkdown(judged)],
  ];
  for (const [name, text] of files)
    if (name !== undefined) await writeText(cwd, name, text);
  const times = timesOf(world, command, judged);
  const more = `${times}${coverage === "" ? "" : `\n${coverage}\n`}`;
  await appendSummary(env, () => `${renderVerdictMarkdown(judged)}${more}`);
  const { colour, exitCode } = judged;
  const outputs = { verdict: colour, "exit-code": String(exitCode) };
  await appendOutputs(env, outputs, world.unguessable());
  return { judged, coverage };
}

/**
 * Writes the merged coverage. It never changes the verdict.
 * @returns a line about it; empty without any
 */
async function writeCoverage(
  { cwd, stderr }: DispatchWorld,
  command: VerdictCommand,
  plan: Plan,
  found: readonly Found[],
  layout: Layout,
): Promise<string> {
  if (command.coverage === undefined) return "";
  const { byJob } = selectAttestations(plan, found, layout);
  // Only this option needs the library.
  const { mergeCoverage } = await import("../covered/merge-coverage.js");
  const attestations = resolve(cwd, command.attestations);
  const all = [...byJob.values()].flat();
  const merged = await mergeCoverage(plan, attestations, all).catch(
    (error: unknown) => {
      stderr.write(
        `warning: the coverage can't be merged: ${printable((error as Error).message)}\n`,
      );
    },
  );
  if (!merged) return "";
  const fileOf = (name: string) => join(command.coverage ?? "", name);
  await writeText(cwd, fileOf("coverage-final.json"), merged.json);
  await writeText(cwd, fileOf("lcov.info"), merged.lcov);
  for (const { file, why } of merged.unread)
    stderr.write(
      `warning: the coverage ${printable(file)} can't be read and was skipped: ${printable(why)}\n`,
    );
  if (merged.lacking.length > 0)
    stderr.write(
      `warning: the coverage lacks that of ${printable(merged.lacking.join(", "))}\n`,
    );
  return `coverage of all jobs: ${merged.percent ?? 0} % of the lines${merged.lacking.length > 0 || merged.unread.length > 0 ? ", incomplete" : ""}`;
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
