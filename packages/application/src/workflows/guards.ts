import type { Job, Step, Workflow } from "./workflow.js";

/** Returns descriptions of the problems of one job. */
type JobGuard = (job: Job, workflow: Workflow, id: string) => string[];

/** The most legs that GitHub creates for one matrix: https://docs.github.com/actions/reference/limits */
const MATRIX_CAP = 256;
const DEFAULT_BRANCH = "${{ github.event.repository.default_branch }}";

/**
 * Requires pinned actions. A tag can be moved to other code, but a commit can't. The release follows in a comment, for
 * people and bots.
 */
const pinned: JobGuard = (job, { text }) =>
  [job.uses, ...stepsOf(job).map(({ uses }) => uses)]
    .filter((uses) => uses !== undefined && !uses.startsWith("./"))
    .filter(
      (uses = "") =>
        !/^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(uses) ||
        !new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+\\n`).test(text),
    )
    .map((uses = "") => `${uses} is not pinned by its commit and its release`);

const ownPermissions: JobGuard = ({ permissions }) =>
  permissions === undefined ? ["it says no permissions of its own"] : [];

/** Requires that no code of a pull request runs in a job with a token that writes. */
const trustedCode: JobGuard = (job, { on }) => {
  if (!writes(job)) return [];
  const events = Object.keys(on).filter((name) => name !== "workflow_call");
  const isOfDefault =
    (events.length > 0 && events.every((name) => name === "workflow_run")) ||
    ((job.if ?? "").includes("github.event_name == 'push'") &&
      !(job.if ?? "").includes("merge_group"));
  return checkouts(job)
    .filter(({ ref, repository }) =>
      isOfDefault
        ? ref !== undefined || repository !== undefined
        : ref !== DEFAULT_BRANCH || repository !== undefined,
    )
    .map(() => "its token writes, and it checks out another branch's code");
};

const noTokenLeft: JobGuard = (job) =>
  checkouts(job)
    .filter((inputs) => inputs["persist-credentials"] !== false)
    .map(() => "its checkout keeps a token");

/**
 * Requires that untrusted text reaches a shell as a variable, never as code: a branch can have the name `$(curl …)`.
 */
const noExpressions: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ run = "" }) => run.includes("${{"))
    .map(({ run = "" }) => `an expression stands in a script: ${run.trim()}`);

/**
 * Requires that artifacts of other jobs are unpacked outside of the checkout, whose code may run with a token that
 * writes.
 */
const dataApart: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ uses = "" }) => uses.startsWith("actions/download-artifact@"))
    .filter((step) => !textOf(step.with?.["path"]).includes("runner.temp"))
    .map(() => "an artifact is unpacked into the checkout");

const PLANNED_LIMITS = [
  "${{ inputs.timeout-minutes || fromJSON(needs.plan.outputs.limits)[matrix.job] }}",
  "${{ fromJSON(needs.plan.outputs.traces || '1') }}",
];

/** Requires a time limit. act has none; GitHub ends a hanging job only after six hours. */
const ends: JobGuard = (job) =>
  job.uses === undefined &&
  !(Number(job["timeout-minutes"]) > 0) &&
  !PLANNED_LIMITS.includes(textOf(job["timeout-minutes"]))
    ? ["nothing ends it where it hangs"]
    : [];

/** Requires `fail-fast: false`. act runs every leg in any case, but GitHub cancels the others if one fails. */
const everyLegRuns: JobGuard = ({ strategy }) =>
  strategy && strategy["fail-fast"] !== false
    ? ["one leg that fails cancels the others"]
    : [];

/**
 * Requires readable job names. act doesn't list skipped jobs, but GitHub lists a skipped matrix by its unevaluated
 * name.
 */
const readableName: JobGuard = ({ name = "", strategy }) =>
  strategy && name.includes("${{")
    ? ["where it is skipped, its name is an expression"]
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
  return [may ? "it makes the run red, whatever the verdict" : "it may fail"];
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
    ? ["it starts after somebody has cancelled the run"]
    : [];

/** The condition of the job that records traces. The planning job decides it: only pushes to the default branch do. */
const RECORDS = "${{ !cancelled() && needs.plan.outputs.traces != '' }}";

/**
 * Returns whether a job runs the workspace's code: the legs of a plan, the job that records traces, and read-only jobs
 * in a workflow without a verdict.
 */
const runsTests = (job: Job, { jobs }: Workflow) =>
  !writes(job) &&
  (job.strategy !== undefined || job.if === RECORDS || !("verdict" in jobs));

/**
 * Requires that other jobs install only the tool. A running install script could read everything that follows,
 * including a token, and a planner or judge from the workspace would be the pull request's code.
 */
const toolAlone: JobGuard = (job, workflow) =>
  runsTests(job, workflow)
    ? []
    : stepsOf(job)
        .filter(
          ({ run = "", env = {} }) =>
            /\b(yarn|corepack|npx)\b|\bnpm (ci|run|test)\b/.test(run) ||
            "SETUP" in env,
        )
        .map(({ name = "" }) => `${name} runs what the workspace installs`);

/**
 * Requires that the tool is installed first, so that neither a checkout (.npmrc) nor files of an earlier job decide
 * where it comes from.
 */
const toolFirst: JobGuard = (job, workflow) => {
  if (runsTests(job, workflow)) return [];
  const steps = stepsOf(job);
  const tool = steps.findIndex(({ name }) => name === "Tool");
  const checkout = steps.findIndex(({ uses = "" }) =>
    uses.startsWith("actions/checkout@"),
  );
  if (checkout < 0) return [];
  return [
    ...(tool < checkout ? [] : ["its tool comes after its checkout"]),
    ...(steps[0]?.run === "find . -mindepth 1 -delete"
      ? []
      : ["its checkout may be what an earlier job left"]),
  ];
};

/**
 * Requires tokens in the environment of steps. A token in a job's environment is in that of every step, including those
 * before the tool.
 */
const tokenInSteps: JobGuard = ({ env = {}, steps = [] }) => [
  ...(JSON.stringify(env).includes("github.token")
    ? ["its token is in the environment of all its steps"]
    : []),
  ...steps
    .filter(
      ({ name, env: own }) =>
        name === "Tool" && /token/i.test(JSON.stringify(own)),
    )
    .map(() => "its token is there while the tool is fetched"),
];

/**
 * Forbids a pattern that may match a single artifact, because that is unpacked without the folder of its name. act's
 * stand-in does the same.
 */
const ownFolders: JobGuard = (job) =>
  stepsOf(job)
    .map((step) => textOf(step.with?.["pattern"]))
    .filter((pattern) => pattern !== "" && !pattern.includes("@(plan|"))
    .map((pattern) => `${pattern} may match one artifact alone`);

const OF_DEFAULT =
  "github.event_name == 'push' && github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";

/** Requires that only pushes to the default branch save caches, because GitHub gives its caches to every branch. */
const cachesOfDefault: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ uses = "" }) => /^actions\/cache(?:\/save)?@/.test(uses))
    .filter((step) => !(step.if ?? "").trim().endsWith(OF_DEFAULT))
    .map(() => "a branch that is not the default one saves a cache");

/** Requires that a job passes on only the secret `fetch-env`, which the called workflow passes only to the step `Fetch`. */
const noSecrets: JobGuard = ({ secrets = {} }) =>
  typeof secrets === "object" &&
  Object.keys(secrets ?? {}).every((name) => name === "fetch-env")
    ? []
    : ["it hands secrets on"];

/** Requires that only the step `Fetch` has a secret. It fetches in a leg, and ends before any code of the workspace runs. */
const secretsOfFetch: JobGuard = ({ steps = [], ...job }) => {
  const holds = (value: unknown) => JSON.stringify(value).includes("secrets.");
  const fetch = steps.findIndex(({ name }) => name === "Fetch");
  const setUp = steps.findIndex(({ name }) => name === "Set up");
  return [
    ...(job.uses === undefined && holds(job)
      ? ["a secret is in the environment of all its steps"]
      : []),
    ...steps
      .filter(
        (step, index) => holds(step) && (index !== fetch || fetch > setUp),
      )
      .map(({ name = "" }) => `the step ${name} has a secret`),
  ];
};

const JOB_GUARDS: readonly JobGuard[] = [
  pinned,
  ownPermissions,
  trustedCode,
  noTokenLeft,
  noExpressions,
  dataApart,
  toolAlone,
  toolFirst,
  tokenInSteps,
  ownFolders,
  ends,
  everyLegRuns,
  readableName,
  matrixCap,
  emptyMatrix,
  verdictRuns,
  verdictIsTheRuns,
  cancelledStays,
  cachesOfDefault,
  noSecrets,
  secretsOfFetch,
];

/** Returns problems of a workflow that neither actionlint nor act reports; empty if there are none. */
export function guard(workflow: Workflow): string[] {
  const { on, permissions, concurrency, jobs, text } = workflow;
  const problems: string[] = [];
  if (JSON.stringify(permissions) !== "{}")
    problems.push("it does not start from no permission");
  if ("pull_request_target" in on)
    problems.push("pull_request_target runs with a token that writes");
  if (/\bneeds\.[\w-]+\.result\b/.test(text))
    problems.push("it judges by `result`, which is one word for all legs");
  const cancels = concurrency?.["cancel-in-progress"] ?? false;
  if (
    cancels !== false &&
    cancels !== "${{ github.event_name == 'pull_request' }}"
  )
    problems.push("it cancels runs that are of no pull request");
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

function needsOf({ needs = [] }: Job): readonly string[] {
  return [needs].flat();
}

/** Returns the job and the output with a computed matrix; undefined if the matrix is in the file. */
function computedMatrix({ strategy }: Job): [string, string] | undefined {
  const { matrix } = strategy ?? {};
  if (typeof matrix !== "string") return undefined;
  const found = /needs\.([\w-]+)\.outputs\.([\w-]+)/.exec(matrix);
  return [found?.[1] ?? "", found?.[2] ?? ""];
}

function stepsOf({ steps = [] }: Job): readonly Step[] {
  return steps;
}

function checkouts(job: Job) {
  return stepsOf(job)
    .filter(({ uses = "" }) => uses.startsWith("actions/checkout@"))
    .map((step) => step.with ?? {});
}

function writes({ permissions = {}, steps }: Job): boolean {
  return steps !== undefined && Object.values(permissions).includes("write");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
