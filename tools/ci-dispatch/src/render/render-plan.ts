import {
  count,
  formatDuration,
  markdownCode,
  markdownTable,
  markdownText,
  printable,
  renderTable,
} from "@skein/reporting";
import type { Plan, PlannedJob } from "../plan.js";
import { checkedLines, notReusedLines, reusedLines } from "./reused-lines.js";
import { boundWords } from "./words.js";

/** Renders the plan file. */
export function renderPlanJson(plan: Plan): string {
  return `${JSON.stringify(plan, null, 2)}\n`;
}

/** Renders the plan for a terminal. @param width its columns; undefined if the output is piped */
export function renderPlan(plan: Plan, width: number | undefined): string {
  const table = renderTable(
    [
      { title: "job" },
      { title: "expected", align: "right" },
      { title: "runs", shrinks: true },
    ],
    plan.jobs.map((job) => [
      job.id,
      formatDuration(job.expectedMs),
      unitsOf(job),
    ]),
    { width },
  );
  return `${table}${summaryLines(plan).map(printable).join("\n")}\n`;
}

/** Renders the plan for the job summary. Names come from the pull request, so they are escaped. */
export function renderPlanMarkdown(plan: Plan): string {
  const table = markdownTable(
    ["job", "expected", "runs"],
    plan.jobs.map((job) => [
      markdownCode(job.id),
      formatDuration(job.expectedMs),
      job.units.map(({ id }) => markdownCode(id)).join(", "),
    ]),
    ["left", "right"],
  );
  const altered = (plan.alters ?? []).map(
    (what) => `the change alters what is tested: ${what}`,
  );
  const lines = [
    ...summaryLines(plan),
    ...altered,
    ...plan.notes.map((n) => `note: ${n}`),
  ];
  return `### Plan\n\n${plan.jobs.length > 0 ? `${table}\n` : ""}${lines.map((line) => `- ${markdownText(line)}\n`).join("")}`;
}

function unitsOf({ units }: PlannedJob): string {
  return units.map(({ id }) => id).join(" ");
}

function summaryLines({
  id,
  jobs,
  skipped,
  prediction,
  reused = [],
  sameTree,
  traces,
}: Plan): string[] {
  const { wallMs, setupMs, makespanMs, lowerBoundMs, ratio } = prediction;
  const units = jobs.flatMap((job) => job.units);
  const reuse = [
    ...reusedLines({ reused, sameTree }),
    ...notReusedLines(units),
    ...checkedLines(units),
    ...(traces
      ? [
          `traces of ${count(traces.packages.length, "package")} are recorded for ${traces.script}, after the verdict`,
        ]
      : []),
  ];
  if (units.length === 0)
    return [
      `plan ${id}: nothing to run${skippedWords(skipped.length)}`,
      ...reuse,
    ];
  return [
    `plan ${id}: ${count(units.length, "unit")} in ${count(jobs.length, "job")}${skippedWords(skipped.length)}`,
    ...reuse,
    `predicted ${formatDuration(wallMs)} with ${formatDuration(setupMs)} of set-up; ${count(prediction.billedMinutes, "billed minute")}`,
    ...(makespanMs > 0
      ? [
          `packages: longest job ${formatDuration(makespanMs)}, lower bound ${formatDuration(lowerBoundMs)}, ratio ${ratio.toFixed(3)}`,
        ]
      : []),
    boundWords(prediction.boundBy),
  ];
}

function skippedWords(skips: number): string {
  return skips === 0 ? "" : `, ${count(skips, "planned skip")}`;
}
