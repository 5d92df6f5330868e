import { formatDuration, printable } from "@skein/reporting";
import type { Replayed, SkipReason, UnitResult, UnitStatus } from "../unit.js";

/** A mark for each status. The word is always beside it. */
export const marks: Readonly<Record<UnitStatus, string>> = {
  passed: "✓",
  failed: "✗",
  "timed-out": "✗",
  cancelled: "-",
  skipped: "-",
  "no-script": " ",
};

/** Returns whether this result makes the whole run bad. */
export function isBad({ status }: UnitResult): boolean {
  return status === "failed" || status === "timed-out";
}

/** Returns the earlier run that a result comes from; undefined if it comes from this run. */
export function replayedOf(result: UnitResult): Replayed | undefined {
  return result.status === "passed" ? result.replayed : undefined;
}

/** Renders a result in a few words: `passed`, `failed with exit code 1`, `skipped, because b#build did not pass`. */
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

/** Renders the origin of a result, with the time in UTC: `replayed from 1888b59, 2026-11-23 01:40 UTC`. */
export function replayedWords({ commit, at }: Replayed): string {
  const time = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const from = commit === undefined ? "" : ` from ${commit.slice(0, 7)},`;
  return `replayed${from} ${time} UTC`;
}

/** Returns additional facts besides the status; usually empty. */
export function notesOf(result: UnitResult): readonly string[] {
  if (!("output" in result)) return [];
  return [
    ...(result.leftBehind ? ["processes that it left running were ended"] : []),
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
      return `because ${printable(why.unit)} did not pass`;
    case "bail":
      return `because ${printable(why.unit)} failed`;
  }
}
