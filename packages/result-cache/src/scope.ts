/** Who writes results, and whose results are read. */
export interface Scope {
  /** What this run writes is in this scope. */
  readonly own: string;
  /** Scopes that this run reads, its own first. */
  readonly reads: readonly string[];
}

/** What is known of a run. */
export interface RunOrigin {
  /** Variables of the CI system: GitHub Actions, GitLab CI and Buildkite are known. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The commit that is checked out. */
  readonly head: string | undefined;
  /** As GitHub's event file names it; a file of the repository could name any branch. */
  readonly githubDefaultBranch: string | undefined;
}

/** What the default branch and the merge queue attest. */
const TRUSTED = "default";

/**
 * Returns the scope of a run. Pure. In CI, a run of the default branch reads only what such runs wrote; any other run
 * reads its own scope and the default branch's. A run that cannot be told apart gets a scope for its commit alone, so no
 * other code ever reads what it wrote.
 */
export function scopeOf(origin: RunOrigin): Scope {
  const own = ownScope(origin);
  return { own, reads: own === TRUSTED ? [TRUSTED] : [own, TRUSTED] };
}

function ownScope(origin: RunOrigin): string {
  const { env, head } = origin;
  const alone = `commit/${head ?? "none"}`;
  if (env["GITHUB_ACTIONS"] === "true") return githubScope(origin) ?? alone;
  if (env["GITLAB_CI"] === "true") return gitlabScope(origin) ?? alone;
  if (env["BUILDKITE"] === "true") return buildkiteScope(origin) ?? alone;
  return env["CI"] === undefined || /^(|0|false)$/i.test(env["CI"])
    ? "local"
    : alone;
}

/** Events whose commit is on the branch that GITHUB_REF names. `pull_request_target` and `workflow_run` name the default branch and are started by others. */
const BRANCH_EVENTS = new Set(["push", "schedule", "workflow_dispatch"]);

/** https://docs.github.com/actions/reference/workflows-and-actions/variables */
function githubScope({
  env,
  head,
  githubDefaultBranch,
}: RunOrigin): string | undefined {
  const {
    GITHUB_EVENT_NAME: event = "",
    GITHUB_REF: ref = "",
    GITHUB_REPOSITORY: repository = "",
    GITHUB_SHA: sha,
  } = env;
  const pull = /^refs\/pull\/(\d+)\//.exec(ref)?.[1];
  if (event === "pull_request" && pull !== undefined)
    return `pull/github/${repository}/${pull}`;
  // A step may have checked out something else.
  if (sha !== head) return undefined;
  if (event === "merge_group") return TRUSTED;
  if (!BRANCH_EVENTS.has(event) || !ref.startsWith("refs/heads/"))
    return undefined;
  return githubDefaultBranch !== undefined &&
    ref === `refs/heads/${githubDefaultBranch}`
    ? TRUSTED
    : `branch/github/${repository}/${ref}`;
}

/** https://docs.gitlab.com/ci/variables/predefined_variables/ */
function gitlabScope({ env, head }: RunOrigin): string | undefined {
  const project = env["CI_PROJECT_PATH"] ?? "";
  const request = env["CI_MERGE_REQUEST_IID"];
  if (request !== undefined) return `pull/gitlab/${project}/${request}`;
  const branch = env["CI_COMMIT_BRANCH"];
  if (branch === undefined || env["CI_COMMIT_SHA"] !== head) return undefined;
  return branch === env["CI_DEFAULT_BRANCH"]
    ? TRUSTED
    : `branch/gitlab/${project}/${branch}`;
}

/** https://buildkite.com/docs/pipelines/configure/environment-variables */
function buildkiteScope({ env, head }: RunOrigin): string | undefined {
  const pipeline = env["BUILDKITE_PIPELINE_SLUG"] ?? "";
  const pull = env["BUILDKITE_PULL_REQUEST"] ?? "false";
  if (pull !== "false") return `pull/buildkite/${pipeline}/${pull}`;
  const branch = env["BUILDKITE_BRANCH"];
  if (branch === undefined || env["BUILDKITE_COMMIT"] !== head)
    return undefined;
  return branch === env["BUILDKITE_PIPELINE_DEFAULT_BRANCH"]
    ? TRUSTED
    : `branch/buildkite/${pipeline}/${branch}`;
}
