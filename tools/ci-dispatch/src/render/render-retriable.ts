import { count, printable } from "@skein/reporting";
import type { Retriable } from "../verdict/retriable.js";

/** Renders for people which jobs are worth another machine, and why. */
export function renderRetriable(jobs: readonly Retriable[]): string {
  if (jobs.length === 0) return "no job needs another machine\n";
  const lines = jobs.flatMap(({ job, because }) =>
    because.map((reason) => `${job}: ${printable(reason)}\n`),
  );
  return `${lines.join("")}${count(jobs.length, "job")} for another machine\n`;
}
