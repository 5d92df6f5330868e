import { shellWord } from "@skein/git";
import {
  count,
  formatDuration,
  markdownCode,
  markdownTable,
  markdownText,
  printable,
  renderTable,
} from "@skein/reporting";
import type { JudgedUnit, Refused, RefusalKind, Verdict } from "../verdict.js";
import {
  checkedLines,
  falseHitLines,
  notReusedLines,
  reusedLines,
} from "./reused-lines.js";
import { UNIT_STATES } from "../verdict.js";

/** The reasons for refused files, as text. */
const REFUSAL_WORDS: Readonly<Record<RefusalKind, string>> = {
  malformed: "it isn't an attestation of version 1",
  "too-large": "it is too large to be an attestation",
  "other-plan": "it is for another plan",
  "unknown-job": "the plan has no such job",
  "unknown-unit": "it attests a unit of another job",
  "other-artifact": "a different job or attempt published it",
  "no-artifact":
    "it is not in an artifact's folder, so any job can have published it; use --layout files for jobs that share a folder",
  contradiction: "it contradicts another file",
};

/** Renders the verdict file. */
export function renderVerdictJson(verdict: Verdict): string {
  return `${JSON.stringify(verdict, null, 2)}\n`;
}

/** Renders the verdict for a terminal: the units that did not pass on the first attempt, then a summary line. */
export function renderVerdict(
  verdict: Verdict,
  width: number | undefined,
): string {
  const telling = notable(verdict);
  const table =
    telling.length === 0
      ? ""
      : renderTable(
          [
            { title: "state" },
            { title: "class" },
            { title: "unit" },
            { title: "job" },
            { title: "evidence", shrinks: true },
          ],
          telling.map((unit) => [
            unit.state,
            unit.failure?.class ?? "",
            unit.id,
            unit.job,
            unit.failure?.evidence.join("; ") ?? "",
          ]),
          { width },
        );
  const tests = telling.flatMap((unit) =>
    unit.failedTests.map(
      ({ file, line, name }) =>
        `  ${printable(placeOf(unit, file, line))}: ${printable(name)}\n`,
    ),
  );
  const printed = telling.filter(showsPrinted).map(printedLines);
  const refused = verdict.refused.map((each) => `${refusedWords(each)}\n`);
  const altered = alteredLines(verdict).map((line) => `${printable(line)}\n`);
  const reused = reuseLines(verdict).map((line) => `${printable(line)}\n`);
  return `${table}${tests.join("")}${printed.join("")}${refused.join("")}${altered.join("")}${reused.join("")}${headline(verdict)}\n`;
}

/** Renders the verdict as GitHub Markdown. Every name is untrusted, so it is escaped and can't mention anybody. */
export function renderVerdictMarkdown(verdict: Verdict): string {
  const telling = notable(verdict);
  const table =
    telling.length === 0
      ? ""
      : `\n${markdownTable(
          ["state", "class", "unit", "job", "evidence"],
          telling.map((unit) => [
            unit.state,
            unit.failure?.class ?? "",
            markdownCode(unit.id),
            markdownCode(unit.job),
            markdownText(unit.failure?.evidence.join("; ") ?? ""),
          ]),
        )}`;
  const tests = telling.flatMap((unit) =>
    unit.failedTests.map(
      ({ file, line, name }) =>
        `- ${markdownCode(placeOf(unit, file, line))} ${markdownText(name)}\n`,
    ),
  );
  const refused = verdict.refused.map(
    (each) => `- ${markdownText(refusedWords(each))}\n`,
  );
  const printed = telling
    .filter(showsPrinted)
    .slice(0, MOST_PRINTED)
    .flatMap(printedMarkdown);
  const mark = verdict.colour === "green" ? "✅" : "❌";
  const altered = alteredLines(verdict).map(
    (line) => `- ⚠️ ${markdownText(line)}\n`,
  );
  const reused = reuseLines(verdict).map((line) => `- ${markdownText(line)}\n`);
  const lists = [altered, tests, printed, refused, reused]
    .filter((list) => list.length > 0)
    .map((list) => `\n${shortened(list)}`);
  return `### ${mark} ${markdownText(headline(verdict))}\n${table}${lists.join("")}`;
}

/** The maximum number of units whose last lines the Markdown shows. Each has up to 20, and a list has at most 100. */
const MOST_PRINTED = 4;

/** Returns whether to show the output of a script: it failed, and no failed test is known. */
function showsPrinted({ state, failedTests }: JudgedUnit): boolean {
  return state === "failed" && failedTests.length === 0;
}

/** Renders the last lines of a failed script, the place of its log, and the command to rerun it. */
function printedLines(unit: JudgedUnit): string {
  const { id, lastLines = [], log } = unit;
  const shown = [
    ...(lastLines.length > 0 ? [`last output of ${id}:`] : [`${id}:`]),
    ...lastLines.map((line) => `  ${line}`),
    ...(log === undefined ? [] : [`log: ${log}`]),
    `rerun it: ${againCommand(unit)}`,
  ];
  return shown.map((line) => `  ${printable(line)}\n`).join("");
}

function printedMarkdown(unit: JudgedUnit): readonly string[] {
  const { id, lastLines = [], log } = unit;
  const where = log === undefined ? "" : `; log: ${markdownCode(log)}`;
  return [
    `- ${markdownCode(id)}: rerun it with ${markdownCode(againCommand(unit))}${where}\n`,
    ...lastLines.map((line) => `  - ${markdownCode(printable(line))}\n`),
  ];
}

/** Returns the command that reruns a unit, for the root of the workspace. */
function againCommand({ whole, workspace, dir }: JudgedUnit): string {
  const script = shellWord(whole.slice(workspace.length + 1));
  return dir === "."
    ? `yarn run ${script}`
    : `yarn workspace ${shellWord(workspace)} run ${script}`;
}

/**
 * GitHub limits a summary to 1 MiB and a comment to 65,536 characters. A longer list ends with the number of further lines.
 */
const MOST_LINES = 100;

function shortened(lines: readonly string[]): string {
  const left = lines.length - MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).join("");
  return left > 0 ? `${shown}- … and ${count(left, "more line")}\n` : shown;
}

/**
 * Returns the units that did not pass on the first attempt, the most urgent first: missing and failed before those that
 * passed in the end.
 */
function notable({ units }: Verdict): readonly JudgedUnit[] {
  const urgency = UNIT_STATES.toReversed();
  return units
    .filter(({ state }) => state !== "passed")
    .toSorted((a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state));
}

function headline({
  colour,
  counts,
  units,
  plan,
  skipped,
  reused = [],
}: Verdict): string {
  const parts = [
    ...UNIT_STATES.filter((state) => counts[state] > 0).map(
      (state) => `${counts[state]} ${state}`,
    ),
    ...(reused.length > 0 ? [`${reused.length} reused`] : []),
  ];
  const time = units.reduce(
    (sum, { durationMs }) => sum + (durationMs ?? 0),
    0,
  );
  return `${colour}: ${parts.length > 0 ? parts.join(", ") : "nothing to run"}${skipped.length > 0 ? `, ${count(skipped.length, "planned skip")}` : ""} (${formatDuration(time)} of scripts, plan ${plan})`;
}

/**
 * Returns warnings for reviewers: a green verdict means less if the change alters what is tested, or if a fingerprint lacks
 * an input.
 */
function alteredLines({ alters = [], units }: Verdict): readonly string[] {
  return [
    ...alters.map((what) => `the change alters what is tested: ${what}`),
    ...falseHitLines(units),
  ];
}

/** Returns where reused units passed, and why others that had passed ran again. */
function reuseLines(verdict: Verdict): readonly string[] {
  return [
    ...reusedLines(verdict),
    ...notReusedLines(verdict.units),
    ...checkedLines(verdict.units),
  ];
}

/** Returns the place of a test file, relative to the root of the workspace. */
function placeOf(
  { dir }: JudgedUnit,
  file: string,
  line: number | null,
): string {
  return `${dir === "." ? "" : `${dir}/`}${file}${line === null ? "" : `:${line}`}`;
}

function refusedWords({ file, why, detail }: Refused): string {
  return `not counted: ${printable(file)}: ${REFUSAL_WORDS[why]} (${printable(detail)})`;
}
