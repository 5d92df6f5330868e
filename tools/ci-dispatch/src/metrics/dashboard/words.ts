import type {
  AnnotationKind,
  Conclusion,
  Stage,
  Until,
} from "@skein/delivery-metrics";
import { STAGE_WORDS } from "../render/words.js";

/** Returns the event that ends a change's way, as a headline names it. */
export const UNTIL: Readonly<Record<Until, string>> = {
  published: "Commit to publish",
  merged: "Commit to merge",
  upgraded: "Commit to publish where it is used",
};

/** A stage by the name that the report gives it, with a capital. */
export function stageName(stage: Stage): string {
  return capital(STAGE_WORDS[stage]);
}

/** For the beginning of a line. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const ANNOTATION: Readonly<Record<AnnotationKind, string>> = {
  migration: "Migration",
  configuration: "Configuration",
  note: "Note",
};

/** How a job ended, where it did not succeed. */
export const CONCLUSION: Readonly<Record<Conclusion, string>> = {
  success: "succeeded",
  failure: "failed",
  cancelled: "cancelled",
  skipped: "skipped",
  timed_out: "timed out",
  startup_failure: "did not start",
  neutral: "neutral",
  action_required: "waits for somebody",
  stale: "went stale",
  unknown: "ended somehow",
};

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** `5 Jan`, in UTC. */
export function dayOf(at: string | Date): string {
  const date = new Date(at);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
}

/** `5 Jan 2026`, in UTC. */
export function dateOf(at: string): string {
  return `${dayOf(at)} ${new Date(at).getUTCFullYear()}`;
}

/** `5 Jan 2026, 14:05 UTC` */
export function timeOf(at: string): string {
  return `${dateOf(at)}, ${new Date(at).toISOString().slice(11, 16)} UTC`;
}

/** `1,234` */
export function whole(value: number): string {
  return value.toLocaleString("en-US");
}
