import type { Job, Step, Workflow } from "./workflow.js";

/** What is wrong with one job, in words. */
type JobGuard = (job: Job, workflow: Workflow, id: string) => string[];

/** GitHub makes no more legs of one matrix: https://docs.github.com/actions/reference/limits */
const MATRIX_CAP = 256;
const DEFAULT_BRANCH = "${{ github.event.repository.default_branch }}";

/** A tag can be moved to other code; a commit cannot. The release stands behind it, for people and for bots. */
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

/** Where a token writes, no code of a pull request runs. */
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

/** A branch can be named `$(curl …)`: what others write reaches a shell as a variable, never as its text. */
const noExpressions: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ run = "" }) => run.includes("${{"))
    .map(({ run = "" }) => `an expression stands in a script: ${run.trim()}`);

/** What another job left behind stays away from the code that a writing token's job runs. */
const dataApart: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ uses = "" }) => uses.startsWith("actions/download-artifact@"))
    .filter((step) => !textOf(step.with?.["path"]).includes("runner.temp"))
    .map(() => "an artifact is unpacked into the checkout");

/** act ends nothing; GitHub ends a job that hangs after six hours. */
const ends: JobGuard = (job) =>
  job.uses === undefined &&
  !(Number(job["timeout-minutes"]) > 0) &&
  job["timeout-minutes"] !==
    "${{ inputs.timeout-minutes || fromJSON(needs.plan.outputs.limits)[matrix.job] }}"
    ? ["nothing ends it where it hangs"]
    : [];

/** act runs every leg whatever happens; GitHub cancels the others where one fails. */
const everyLegRuns: JobGuard = ({ strategy }) =>
  strategy && strategy["fail-fast"] !== false
    ? ["one leg that fails cancels the others"]
    : [];

/** act lists no job that was skipped; GitHub lists a skipped matrix under its name as it stands in the file. */
const readableName: JobGuard = ({ name = "", strategy }) =>
  strategy && name.includes("${{")
    ? ["where it is skipped, its name is an expression"]
    : [];

/** act takes any number of legs; GitHub refuses the whole run. Legs that are computed, `ci-dispatch plan` bounds. */
const matrixCap: JobGuard = ({ strategy }) => {
  const matrix = strategy?.matrix;
  if (typeof matrix !== "object" || matrix === null) return [];
  const lists = Object.values(matrix).filter((value) => Array.isArray(value));
  const legs = lists.reduce((product, { length }) => product * length, 1);
  return legs > MATRIX_CAP ? [`it has ${legs} legs`] : [];
};

/** act runs one leg of an empty matrix; GitHub refuses the whole run. */
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
 * act knows no job that may fail; GitHub makes a run red for any other. Another machine may make up for a leg of the
 * plan, and what comes after the verdict only shows it, so they may fail; nobody else may, or the run would be green
 * without a verdict that is.
 */
const verdictIsTheRuns: JobGuard = (job, { jobs }) => {
  if (!("verdict" in jobs)) return [];
  const may =
    computedMatrix(job)?.[0] === "plan" || needsOf(job).includes("verdict");
  if ((job["continue-on-error"] === true) === may) return [];
  return [may ? "it makes the run red, whatever the verdict" : "it may fail"];
};

/** Nothing is to be run, says the planning job, which runs nothing of a pull request: `toolAlone` sees to that. */
const UNLESS_EMPTY = "always() && needs.plan.outputs.verdict != 'green'";

/** A skipped check counts as a green one, so what is required must always run, unless there is nothing to judge. */
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

/** act cannot be cancelled as a run is; at GitHub `always()` means in spite of it, and the next run waits for that. */
const cancelledStays: JobGuard = (job, _workflow, id) =>
  id !== "verdict" && (job.if ?? "").includes("always()")
    ? ["it starts after somebody has cancelled the run"]
    : [];

/** Jobs that run the workspace's code: the legs of a plan, and those that only read, in a workflow without a verdict. */
const runsTests = (job: Job, { jobs }: Workflow) =>
  !writes(job) && (job.strategy !== undefined || !("verdict" in jobs));

/**
 * An install script that is still running sees what comes after it, a token too; and a planner or a judge that the
 * workspace installs is the pull request's. So these jobs have the tool alone.
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

/** Neither a checkout (.npmrc) nor the leftovers of an earlier job may decide where the tool comes from. */
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

/** A token in a job's environment is in that of every step, those before the tool included. */
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

/** act's stand-in knows it too: an artifact that alone matches a pattern is unpacked without the folder of its name. */
const ownFolders: JobGuard = (job) =>
  stepsOf(job)
    .map((step) => textOf(step.with?.["pattern"]))
    .filter((pattern) => pattern !== "" && !pattern.includes("@(plan|"))
    .map((pattern) => `${pattern} may match one artifact alone`);

const OF_DEFAULT =
  "github.event_name == 'push' && github.ref == format('refs/heads/{0}', github.event.repository.default_branch)";

/** GitHub gives main's caches to every branch. So only what ran on main is saved there, and in the open. */
const cachesOfDefault: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ uses = "" }) => /^actions\/cache(?:\/save)?@/.test(uses))
    .filter((step) => !(step.if ?? "").trim().endsWith(OF_DEFAULT))
    .map(() => "a branch that is not the default one saves a cache");

/** The called workflow gives this one to the step `Fetch` alone. */
const noSecrets: JobGuard = ({ secrets = {} }) =>
  typeof secrets === "object" &&
  Object.keys(secrets ?? {}).every((name) => name === "fetch-env")
    ? []
    : ["it hands secrets on"];

/** A secret is there for one step, which fetches in a leg, and ends before anything of the workspace runs. */
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

/** What neither actionlint nor act says of a workflow; empty where all is well. */
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
 * What is wrong with a job that calls another workflow. The actionlint of the tests does not open it.
 * @param called the workflow that it calls
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
    // GitHub refuses the whole run where a called job asks for more than its caller has.
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

/** The job and the output that a matrix is taken from; undefined where it stands in the file. */
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
