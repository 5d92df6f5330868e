import type {
  AnnotationKind,
  Change,
  Conclusion,
  Stage,
  Until,
} from "@skein/delivery-metrics";
import { STAGE_WORDS } from "../render/words.js";

/** The event that ends a lead time, as a headline names it. */
export const UNTIL: Readonly<Record<Until, string>> = {
  published: "Commit to publish",
  merged: "Commit to merge",
  upgraded: "Commit to publish where it is used",
};

/** Returns the report's name of a stage, capitalized. */
export function stageName(stage: Stage): string {
  return capital(STAGE_WORDS[stage]);
}

/** Capitalizes the first letter. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The names of measures, in tiles and tables. */
export const MEASURE = {
  headline: "Headline: without human waiting",
  gross: "Including review time (gross)",
  machine: "Machine time only",
  builds: "Pull request build",
} as const satisfies Partial<Record<Change["of"], string>>;

/** The names of annotations in the list below the chart. */
export const ANNOTATION: Readonly<Record<AnnotationKind, string>> = {
  migration: "Migration",
  configuration: "Configuration",
  note: "Note",
};

/** The words for how a job ended. */
export const CONCLUSION: Readonly<Record<Conclusion, string>> = {
  success: "succeeded",
  failure: "failed",
  cancelled: "cancelled",
  skipped: "skipped",
  timed_out: "timed out",
  startup_failure: "did not start",
  neutral: "neutral",
  action_required: "waits for an approval",
  stale: "went stale",
  unknown: "ended with an unknown result",
};

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Returns `5 Jan`, in UTC. */
export function dayOf(at: string | Date): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
}

/** Returns `5 Jan 2026`, in UTC. */
export function dateOf(at: string): string {
  return `${dayOf(at)} ${new Date(at).getUTCFullYear()}`;
}

/** Returns the last day of a window: `4 Jan 2026` if it ends on the 5th at midnight. */
export function lastDayOf(end: string): string {
  return dateOf(new Date(Date.parse(end) - 1).toISOString());
}

/** Returns `5 Jan 2026, 14:05 UTC`. */
export function timeOf(at: string): string {
  return `${dateOf(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}
