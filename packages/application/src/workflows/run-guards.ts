import { computedMatrix, needsOf, stepsOf, textOf } from "./job-parts.js";
import type { JobGuard } from "./job-parts.js";

/** The most legs that GitHub creates for one matrix: https://docs.github.com/actions/reference/limits */
const MATRIX_CAP = 256;

const PLANNED_LIMITS = [
  "${{ inputs.timeout-minutes || fromJSON(needs.plan.outputs.limits)[matrix.job] }}",
  "${{ fromJSON(needs.plan.outputs.traces || '1') }}",
];

/** Requires a time limit. act has none; GitHub ends a hanging job only after six hours. */
const ends: JobGuard = (job) =>
  job.uses === undefined &&
  !(Number(job["timeout-minutes"]) > 0) &&
  !PLANNED_LIMITS.includes(textOf(job["timeout-minutes"]))
    ? ["it has no time limit"]
    : [];

/** Requires `fail-fast: false`. act runs every leg in any case, but GitHub cancels the others if one fails. */
const everyLegRuns: JobGuard = ({ strategy }) =>
  strategy && strategy["fail-fast"] !== false
    ? ["a failed leg cancels the others"]
    : [];

/**
 * Requires readable job names. act doesn't list skipped jobs, but GitHub lists a skipped matrix by its unevaluated
 * name.
 */
const readableName: JobGuard = ({ name = "", strategy }) =>
  strategy && name.includes("${{")
    ? ["if it is skipped, its name is an expression"]
    : [];

/**
 * Limits the legs of a matrix. act accepts any number, but GitHub rejects the whole run. `ci-dispatch plan` limits
 * computed legs.
 */
const matrixCap: JobGuard = ({ strategy }) => {
  const matrix = strategy?.matrix;
  if (typeof matrix !== "object" || matrix === null) return [];
  const lists = Object.values(matrix).filter((value) => Array.isArray(value));
  const legs = lists.reduce((product, { length }) => product * length, 1);
  return legs > MATRIX_CAP ? [`it has ${legs} legs`] : [];
};

/** Requires a condition for a matrix that may be empty. act runs one leg of it, but GitHub rejects the whole run. */
const emptyMatrix: JobGuard = (job) => {
  const computed = computedMatrix(job);
  if (!computed) return [];
  const [of, output] = computed;
  const any = output === "matrix" ? "any" : `any-${output}`;
  const conditions = (job.if ?? "")
    .replaceAll(/^\$\{\{|\}\}$/g, "")
    .split("&&");
  return conditions.some(
    (each) => each.trim() === `needs.${of}.outputs.${any} == 'true'`,
  )
    ? []
    : ["its matrix may be empty"];
};

/**
 * Requires `continue-on-error` of exactly the right jobs. act doesn't support it; at GitHub, any other failing job
 * makes a run red. A leg of the plan may fail, because another machine may repeat it, and so may jobs after the
 * verdict, which only show it. No other job may fail, or the run could be green without a green verdict.
 */
const verdictIsTheRuns: JobGuard = (job, { jobs }) => {
  if (!("verdict" in jobs)) return [];
  const may =
    computedMatrix(job)?.[0] === "plan" || needsOf(job).includes("verdict");
  if ((job["continue-on-error"] === true) === may) return [];
  return [
    may ? "it can make the run red despite a green verdict" : "it may fail",
  ];
};

/**
 * The condition that there is something to run. The planning job decides it, and runs no code of a pull request, which
 * `toolAlone` checks.
 */
const UNLESS_EMPTY = "always() && needs.plan.outputs.verdict != 'green'";

/**
 * Requires that the verdict's job always runs, unless there is nothing to judge, because a skipped check counts as
 * green.
 */
const verdictRuns: JobGuard = (job, { jobs }, id) => {
  if (id !== "verdict") return [];
  const needs = needsOf(job);
  const others = Object.keys(jobs).filter(
    (name) => name !== id && !needsOf(jobs[name] ?? {}).includes("verdict"),
  );
  return [
    ...(job.if === "always()" || job.if === UNLESS_EMPTY
      ? []
      : ["it may be skipped"]),
    ...others
      .filter((name) => !needs.includes(name))
      .map((name) => `it does not wait for ${name}`),
  ];
};

/**
 * Requires that only the verdict's job uses `always()`. act doesn't support cancelling; at GitHub, `always()` jobs run
 * after a cancellation, and the next run waits for them.
 */
const cancelledStays: JobGuard = (job, _workflow, id) =>
  id !== "verdict" && (job.if ?? "").includes("always()")
    ? ["it starts after a user has cancelled the run"]
    : [];

/**
 * Forbids a pattern that may match a single artifact, because that is unpacked without the folder of its name. act's
 * stand-in does the same.
 */
const ownFolders: JobGuard = (job) =>
  stepsOf(job)
    .map((step) => textOf(step.with?.["pattern"]))
    .filter((pattern) => pattern !== "" && !pattern.includes("@(plan|"))
    .map((pattern) => `${pattern} may match a single artifact`);

/** The guards that make a run at GitHub end with its verdict. act behaves differently in these points, so its tests don't show them. */
export const RUN_GUARDS: readonly JobGuard[] = [
  ends,
  everyLegRuns,
  readableName,
  matrixCap,
  emptyMatrix,
  verdictRuns,
  verdictIsTheRuns,
  cancelledStays,
  ownFolders,
];
