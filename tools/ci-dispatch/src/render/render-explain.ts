import {
  didYouMean,
  formatDuration,
  printable,
  usageFailure,
} from "@skein/reporting";
import type { Plan, PlannedJob, PlannedUnit } from "../plan.js";
import { notReusedWords } from "./reused-lines.js";
import { estimateWords, SKIP_WORDS } from "./words.js";

/**
 * Renders the details of a job or a package: why it is in the plan, its job, and the history behind its estimate.
 * @param word an id of a job or a unit, or the name of a package
 * @throws {Failure} (usage) with similar names if the plan contains neither
 */
export function renderExplanation(plan: Plan, word: string): string {
  const job = plan.jobs.find(({ id }) => id === word);
  if (job)
    return `${job.id}: ${formatDuration(job.expectedMs)} expected\n${job.units.map((unit) => unitLines(unit, undefined)).join("")}`;
  const units = plan.jobs.flatMap((each) =>
    each.units
      .filter(({ id, whole, workspace }) =>
        [id, whole, workspace].includes(word),
      )
      .map((unit) => unitLines(unit, each)),
  );
  const skips = plan.skipped
    .filter(({ workspace }) => workspace === word)
    .map(
      ({ workspace, script, why }) =>
        `${printable(`${workspace}#${script}`)}\n  not run: ${SKIP_WORDS[why]}\n`,
    );
  if (units.length + skips.length > 0) return [...units, ...skips].join("");
  throw usageFailure(`the plan has no job or package ${printable(word)}`, {
    hint:
      didYouMean(word, namesOf(plan)) ??
      "a package that is not in the plan is not affected: `affected why-not` explains why",
  });
}

function unitLines(unit: PlannedUnit, job: PlannedJob | undefined): string {
  const { shard } = unit;
  const lines = [
    `why: ${unit.why}`,
    ...(unit.notReused
      ? [`not reused: ${notReusedWords(unit.notReused)}`]
      : []),
    ...(job ? [`job: ${job.id}`] : []),
    `expected: ${formatDuration(unit.expectedMs)} (${estimateWords(unit.estimate)})`,
    ...(shard
      ? [`shard: ${shard.index} of ${shard.count}, ${shard.files.join(" ")}`]
      : []),
    `time limit: ${formatDuration(unit.timeoutMs)}`,
  ];
  return `${printable(unit.id)}\n${lines.map((line) => `  ${printable(line)}\n`).join("")}`;
}

function namesOf({ jobs, skipped }: Plan): Set<string> {
  return new Set([
    ...jobs.flatMap(({ id, units }) => [
      id,
      ...units.map(({ workspace }) => workspace),
    ]),
    ...skipped.map(({ workspace }) => workspace),
  ]);
}
