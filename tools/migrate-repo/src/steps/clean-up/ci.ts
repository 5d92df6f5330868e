import { belongsToCi } from "@skein/known-tools";
import { printable } from "@skein/reporting";
import { parseDocument } from "yaml";
import { isRecord } from "@skein/reporting/is-record";
import { followUp } from "../step.js";
import { removalStep } from "./removal.js";

/**
 * Removes CI files, because a service reads only those at the top of the repository. The report lists the commands that
 * they ran.
 */
export const ci = removalStep({
  id: "ci",
  why: "CI services read their files only at the top of the repository: here, these files would look active but never run",
  files: ({ inside }) => belongsToCi(inside),
  report: (files) =>
    files.flatMap(({ path, inside, text }) =>
      jobsIn(text).map(({ job, ran }) => {
        const where = job === undefined ? path : `${path} (${printable(job)})`;
        return followUp(
          ran.length === 0
            ? `${where} was removed: check whether you need anything that it did.`
            : `${where} ran: ${ran.join("; ")}. Make sure that the workspace's CI runs the same.`,
          // An action isn't a job by itself.
          inside.startsWith(".github/actions/") ? undefined : "ci",
        );
      }),
    ),
});

/** A job of a CI file: its name, if the file names jobs, and its commands, each once. */
export interface CiJob {
  readonly job: string | undefined;
  readonly ran: readonly string[];
}

/**
 * Returns the jobs of a CI file. These are the entries of `jobs` in GitHub's and CircleCI's format; any other file
 * counts as one job.
 */
export function jobsIn(text: string): readonly CiJob[] {
  let value: unknown;
  try {
    value = parseDocument(text).toJS() as unknown;
  } catch {
    return [{ job: undefined, ran: [] }];
  }
  const jobs = isRecord(value) ? value["jobs"] : undefined;
  return isRecord(jobs) && Object.keys(jobs).length > 0
    ? Object.entries(jobs).map(([job, one]) => ({ job, ran: checksIn(one) }))
    : [{ job: undefined, ran: checksIn(value) }];
}

/** Keys whose values are commands in the files of CI services. */
const COMMANDS = new Set(
  `run script before_script after_success install command commands test_script build_script
  deploy`.split(/\s+/),
);

/** Returns the commands in a value, each once. For a GitHub workflow, it also returns the actions. */
function checksIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  const take = (one: unknown) => {
    if (typeof one === "string")
      for (const line of one.split("\n"))
        if (line.trim() !== "" && !line.trim().startsWith("#"))
          found.add(line.trim());
    if (Array.isArray(one)) for (const each of one as unknown[]) take(each);
  };
  const walk = (one: unknown): void => {
    if (Array.isArray(one)) for (const each of one as unknown[]) walk(each);
    if (!isRecord(one)) return;
    for (const [key, each] of Object.entries(one)) {
      if (COMMANDS.has(key)) take(each);
      if (key === "uses" && typeof each === "string")
        if (!/^actions\/(?:checkout|setup-node|cache)@/.test(each))
          found.add(`uses ${each}`);
      walk(each);
    }
  };
  walk(value);
  return [...found];
}
