import { formatDuration, printable } from "@skein/reporting";
import type { Replayed, SkipReason, UnitResult, UnitStatus } from "./unit.js";

/** A mark for each status; the word always stands beside it. */
export const marks: Readonly<Record<UnitStatus, string>> = {
  passed: "✓",
  failed: "✗",
  "timed-out": "✗",
  cancelled: "-",
  skipped: "-",
  "no-script": " ",
};

/** Whether the answer of a run with this result is bad. */
export function isBad({ status }: UnitResult): boolean {
  return status === "failed" || status === "timed-out";
}

/** Returns the earlier run that a result is taken from; undefined where this run made it. */
export function replayedOf(result: UnitResult): Replayed | undefined {
  return result.status === "passed" ? result.replayed : undefined;
}

/** What a result is, in a few words: `passed`, `failed with exit code 1`, `skipped, as b#build did not pass`. */
export function statusWords(result: UnitResult): string {
  switch (result.status) {
    case "passed":
      return result.replayed ? replayedWords(result.replayed) : "passed";
    case "failed":
      return failureWords(result.exitCode, result.signal);
    case "timed-out":
      return `timed out after ${formatDuration(result.timeoutMs)}`;
    case "cancelled":
      return result.started ? "cancelled" : "not started";
    case "skipped":
      return `skipped, ${skipWords(result.why)}`;
    case "no-script":
      return "has no such script";
  }
}

/** Returns where a result is taken from, with the time in UTC: `replayed from 1888b59, 2026-11-23 01:40 UTC`. */
export function replayedWords({ commit, at }: Replayed): string {
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const from = commit === undefined ? "" : ` from ${commit.slice(0, 7)},`;
  return `replayed${from} ${time} UTC`;
}

/** What a reader should know besides the status; empty for most. */
export function notesOf(result: UnitResult): readonly string[] {
  if (!("output" in result)) return [];
  return [
    ...(result.leftBehind ? ["processes it left running were ended"] : []),
    ...(result.output.file === undefined
      ? []
      : [`whole output: ${printable(result.output.file)}`]),
  ];
}

function failureWords(
  exitCode: number | undefined,
  signal: string | undefined,
): string {
  if (signal !== undefined) return `failed, ended by ${signal}`;
  return exitCode === undefined
    ? "failed to run"
    : `failed with exit code ${exitCode}`;
}

function skipWords(why: SkipReason): string {
  switch (why.kind) {
    case "dependency":
      return `as ${printable(why.unit)} did not pass`;
    case "bail":
      return `as ${printable(why.unit)} failed`;
  }
}
