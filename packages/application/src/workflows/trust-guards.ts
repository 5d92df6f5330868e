import { checkouts, stepsOf, textOf, writes } from "./job-parts.js";
import type { JobGuard } from "./job-parts.js";
import type { Job, Workflow } from "./workflow.js";

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
  permissions === undefined ? ["it has no permissions of its own"] : [];

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
    .map(({ run = "" }) => `a script contains an expression: ${run.trim()}`);

/**
 * Requires that artifacts of other jobs are unpacked outside of the checkout, whose code may run with a token that
 * writes.
 */
const dataApart: JobGuard = (job) =>
  stepsOf(job)
    .filter(({ uses = "" }) => uses.startsWith("actions/download-artifact@"))
    .filter((step) => !textOf(step.with?.["path"]).includes("runner.temp"))
    .map(() => "an artifact is unpacked into the checkout");

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
        .map(
          ({ name = "" }) =>
            `${name} runs programs that the workspace installs`,
        );

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
      : ["its checkout may contain files of an earlier job"]),
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
    .map(() => "the step that fetches its tool has a token"),
];

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
    : ["it passes secrets on"];

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

/** The guards that keep untrusted code and text away from tokens, secrets and caches. */
export const TRUST_GUARDS: readonly JobGuard[] = [
  pinned,
  ownPermissions,
  trustedCode,
  noTokenLeft,
  noExpressions,
  dataApart,
  toolAlone,
  toolFirst,
  tokenInSteps,
  cachesOfDefault,
  noSecrets,
  secretsOfFetch,
];
