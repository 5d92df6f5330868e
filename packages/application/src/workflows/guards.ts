import { RUN_GUARDS } from "./run-guards.js";
import { TRUST_GUARDS } from "./trust-guards.js";
import type { Job, Workflow } from "./workflow.js";

const JOB_GUARDS = [...TRUST_GUARDS, ...RUN_GUARDS];

/** Returns problems of a workflow that neither actionlint nor act reports; empty if there are none. */
export function guard(workflow: Workflow): string[] {
  const { on, permissions, concurrency, jobs, text } = workflow;
  const problems: string[] = [];
  if (JSON.stringify(permissions) !== "{}")
    problems.push("it doesn't begin with `permissions: {}`");
  if ("pull_request_target" in on)
    problems.push("pull_request_target runs with a token that writes");
  if (/\bneeds\.[\w-]+\.result\b/.test(text))
    problems.push("it uses `result`, which all legs share");
  const cancels = concurrency?.["cancel-in-progress"] ?? false;
  if (
    cancels !== false &&
    cancels !== "${{ github.event_name == 'pull_request' }}"
  )
    problems.push("it cancels runs that don't belong to a pull request");
  return [
    ...problems,
    ...Object.entries(jobs).flatMap(([id, job]) =>
      JOB_GUARDS.flatMap((check) => check(job, workflow, id)).map(
        (problem) => `${id}: ${problem}`,
      ),
    ),
  ];
}

/**
 * Returns problems of a job that calls another workflow. The actionlint of the tests doesn't read that workflow.
 * @param called the called workflow
 */
export function guardCall(job: Job, called: Workflow): string[] {
  const inputs = called.on["workflow_call"]?.inputs ?? {};
  const given = Object.keys(job.with ?? {});
  const rank = (word: string | undefined) =>
    ["none", "read", "write"].indexOf(word ?? "none");
  return [
    ...("workflow_call" in called.on ? [] : ["it cannot be called"]),
    ...given
      .filter((name) => !(name in inputs))
      .map((name) => `it has no input ${name}`),
    ...Object.entries(inputs)
      .filter(([name, { required }]) => required && !given.includes(name))
      .map(([name]) => `its input ${name} is missing`),
    // GitHub rejects the whole run if a called job requires more permissions than its caller has.
    ...Object.entries(called.jobs).flatMap(([id, { permissions = {} }]) =>
      Object.entries(permissions)
        .filter(([scope, word]) => rank(word) > rank(job.permissions?.[scope]))
        .map(([scope, word]) => `its job ${id} needs ${scope}: ${word}`),
    ),
  ];
}
