import { shellWord } from "@skein/git";
import { count, formatDuration, printable } from "@skein/reporting";
import {
  isBad,
  renderUnit,
  reportJson,
  statusWords,
  type UnitResult,
} from "@skein/runner";
import type { Plan } from "../plan/plan.js";
import type { ScriptsOutcome } from "./run-scripts.js";

/** Returns whether all requested scripts ran and passed. A package without the script doesn't count as a failure. */
export function scriptsPassed(outcome: ScriptsOutcome): boolean {
  return (
    outcome.kind === "ran" &&
    !outcome.report.interrupted &&
    !outcome.report.results.some(isBad)
  );
}

/**
 * Renders the results of scripts. For a failure, it adds the output, the state of the workspace, and the next steps.
 */
export function renderScripts(plan: Plan, outcome: ScriptsOutcome): string {
  if (scriptsPassed(outcome)) return `${linesOf(outcome).join("\n")}\n`;
  const again =
    outcome.kind === "ran"
      ? (outcome.report.results
          .filter(isBad)
          .map(
            ({ unit }) =>
              `yarn workspace ${shellWord(unit.workspace)} run ${shellWord(printable(unit.script))}`,
          )[0] ?? "yarn install")
      : "yarn install";
  return [
    ...linesOf(outcome),
    ...(outcome.kind === "ran"
      ? outcome.report.results.filter(isBad).map(endOf)
      : []),
    `${plan.name} is migrated nevertheless: history and files are in the workspace, and nothing was rolled back.`,
    `To rerun it: ${again}`,
    `To go back to before the migration: migrate-repo undo ${plan.name}`,
    "",
  ].join("\n");
}

/** The most lines of a failure's output. The last lines usually have the reason. */
const SHOWN = 40;

function endOf(result: UnitResult): string {
  const text = renderUnit(result, { mode: "failed", colour: false });
  const [title = "", ...lines] = text.trimEnd().split("\n");
  const left = lines.length - SHOWN;
  return [
    title,
    ...(left > 0 ? [`(${count(left, "line")} before)`] : []),
    ...lines.slice(-SHOWN),
  ].join("\n");
}

/** Returns the results as single lines, for a report on many repositories. */
export function linesOf(outcome: ScriptsOutcome): readonly string[] {
  switch (outcome.kind) {
    case "no-yarn":
      return ["Scripts did not run: no Yarn of version 2 or newer was found."];
    case "not-installed":
      return [`Scripts did not run: yarn install failed: ${outcome.message}`];
    case "ran": {
      const { results, durationMs } = outcome.report;
      const ran = results.filter(({ status }) => status !== "no-script");
      const missing = results.filter(
        ({ status, unit }) => status === "no-script" && !unit.pulledIn,
      );
      return [
        `Ran ${count(ran.length, "script")} in ${formatDuration(durationMs)}.`,
        ...ran.map((result) => `  ${result.unit.id}: ${wordsOf(result)}`),
        ...missing.map(({ unit }) => `  ${unit.id}: there is no such script`),
      ];
    }
  }
}

function wordsOf(result: UnitResult): string {
  const took =
    "durationMs" in result ? `, ${formatDuration(result.durationMs)}` : "";
  return `${statusWords(result)}${took}`;
}

/** Returns the results as an event, for programs. */
export function scriptsEvent(outcome: ScriptsOutcome): object {
  return {
    event: "scripts",
    passed: scriptsPassed(outcome),
    ...(outcome.kind === "ran"
      ? { outcome: "ran", report: reportJson(outcome.report) }
      : outcome.kind === "not-installed"
        ? { outcome: "not-installed", output: outcome.message }
        : { outcome: "no-yarn" }),
  };
}
