import type { Job, Step, Workflow } from "./workflow.js";

/** Returns descriptions of the problems of one job. */
export type JobGuard = (job: Job, workflow: Workflow, id: string) => string[];

/** Returns the jobs that a job waits for. */
export function needsOf({ needs = [] }: Job): readonly string[] {
  return [needs].flat();
}

/** Returns the job and the output with a computed matrix; undefined if the matrix is in the file. */
export function computedMatrix({
  strategy,
}: Job): [string, string] | undefined {
  const { matrix } = strategy ?? {};
  if (typeof matrix !== "string") return undefined;
  const found = /needs\.([\w-]+)\.outputs\.([\w-]+)/.exec(matrix);
  return [found?.[1] ?? "", found?.[2] ?? ""];
}

/** Returns the steps of a job. */
export function stepsOf({ steps = [] }: Job): readonly Step[] {
  return steps;
}

/** Returns the inputs of a job's checkouts. */
export function checkouts(job: Job) {
  return stepsOf(job)
    .filter(({ uses = "" }) => uses.startsWith("actions/checkout@"))
    .map((step) => step.with ?? {});
}

/** Returns whether a job has steps, and a token that writes. */
export function writes({ permissions = {}, steps }: Job): boolean {
  return steps !== undefined && Object.values(permissions).includes("write");
}

/** Returns a value if it is a text, else "". */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
