import { count, formatDuration } from "@skein/reporting";
import type { BoundBy, Estimate, PlannedSkip } from "../plan.js";

/** Returns the source of a duration, as text. */
export function estimateWords(estimate: Estimate): string {
  switch (estimate.kind) {
    case "history":
      return `P90 of ${count(estimate.runs, "run")}: ${formatDuration(estimate.p90Ms)}${estimate.flakes > 0 ? `; ${estimate.flakes} of them flaky` : ""}`;
    case "test-files":
      return `no history; ${count(estimate.files, "test file")} at ${formatDuration(estimate.perFileMs)}`;
    case "default":
      return `no history and no test file; ${formatDuration(estimate.ms)} assumed`;
  }
}

/** Returns what keeps a plan from being shorter, as text. */
export function boundWords(bound: BoundBy): string {
  switch (bound.kind) {
    case "nothing":
      return "there is nothing to run";
    case "application":
      return `bound by ${bound.unit} of the application suite: split it, or give it shards`;
    case "largest-unit":
      return `bound by ${bound.unit}, which cannot be split further`;
    case "machines":
      return `bound by ${count(bound.jobs, "job")}: more of them would be quicker`;
  }
}

/** The reasons for scripts that don't run, as text. */
export const SKIP_WORDS: Readonly<Record<PlannedSkip["why"], string>> = {
  "no-script": "the package has no such script",
  root: "the root's scripts run as steps of the application suite only",
};
