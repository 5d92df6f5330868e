import { count, formatDuration } from "@skein/reporting";
import type { Verdict } from "../verdict.js";

/** The durations that the pipeline measured of its own jobs, in milliseconds. */
export interface PipelineTimes {
  /** The planning job, from its first step until the plan was complete; undefined if unknown. */
  readonly plannedMs: number | undefined;
  /** The judging job, from its first step until the verdict; undefined if unknown. */
  readonly judgedMs: number | undefined;
}

/**
 * Returns a line of Markdown about how a run spent its time; empty without measurements. It doesn't include the start of
 * runners and GitHub's time between jobs. Pure.
 */
export function timeLine(
  { setups = {}, units }: Pick<Verdict, "setups" | "units">,
  { plannedMs, judgedMs }: PipelineTimes,
): string {
  const legs = Object.entries(setups).map(([job, setupMs]) => ({
    job,
    setupMs,
    testMs: units
      .filter((unit) => unit.job === job)
      .reduce((sum, { durationMs }) => sum + Math.max(0, durationMs ?? 0), 0),
  }));
  const longest = legs.reduce<(typeof legs)[number] | undefined>(
    (most, leg) =>
      most && most.setupMs + most.testMs >= leg.setupMs + leg.testMs
        ? most
        : leg,
    undefined,
  );
  const sum = (of: (leg: (typeof legs)[number]) => number) =>
    formatDuration(legs.reduce((total, leg) => total + of(leg), 0));
  const parts = [
    plannedMs !== undefined && `plan ${formatDuration(plannedMs)}`,
    longest &&
      `longest leg \`${longest.job}\`: set-up ${formatDuration(longest.setupMs)}, tests ${formatDuration(longest.testMs)}`,
    judgedMs !== undefined && `judge ${formatDuration(judgedMs)}`,
    legs.length > 1 &&
      `${count(legs.length, "leg")} together: set-up ${sum(({ setupMs }) => setupMs)}, tests ${sum(({ testMs }) => testMs)}`,
  ].filter((part) => typeof part === "string");
  return parts.length > 0
    ? `\nWhere the time went: ${parts.join("; ")}.\n`
    : "";
}

/** Returns the milliseconds since a start; undefined if the start is unknown or in the future. */
export function sinceBegan(
  now: number,
  began: number | undefined,
): number | undefined {
  return began === undefined || began > now ? undefined : now - began;
}
