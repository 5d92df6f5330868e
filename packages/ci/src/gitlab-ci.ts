import type { Ci, CiChange, Env } from "./ci.js";
import { BY_VARIABLES, commit, count, pushOf, text } from "./read.js";

/** Reads GitLab CI's predefined variables. GitLab has no file for summaries: `verdict --summary` writes an artifact. */
export function gitlabCi(env: Env): Omit<Ci, "engine"> {
  return {
    ...BY_VARIABLES,
    repository: text(env, "CI_PROJECT_PATH"),
    server: text(env, "CI_SERVER_URL"),
    commit: commit(env, "CI_COMMIT_SHA"),
    ref: refOf(env),
    defaultBranch: text(env, "CI_DEFAULT_BRANCH"),
    pull: count(env, "CI_MERGE_REQUEST_IID"),
    run: {
      id: text(env, "CI_PIPELINE_ID"),
      // GitLab retries a job under the same name, and keeps only the newest artifacts.
      attempt: 1,
      url: text(env, "CI_JOB_URL") ?? text(env, "CI_PIPELINE_URL"),
      job: text(env, "CI_JOB_NAME"),
      workflow: undefined,
    },
    event: {
      kind: "variables",
      name: text(env, "CI_PIPELINE_SOURCE") ?? "pipeline",
      change: changeOf(env),
    },
  };
}

function refOf(env: Env): string | undefined {
  const branch = text(env, "CI_COMMIT_BRANCH");
  if (branch !== undefined) return `refs/heads/${branch}`;
  const tag = text(env, "CI_COMMIT_TAG");
  return tag === undefined ? undefined : `refs/tags/${tag}`;
}

/**
 * Returns the change. The variables of a merge request decide instead of the pipeline's source, because child pipelines
 * have the source `parent_pipeline`. `CI_MERGE_REQUEST_DIFF_BASE_SHA` is not used: it doesn't change with the target
 * branch (https://gitlab.com/gitlab-org/gitlab/-/issues/442031), and then it can be too new.
 */
function changeOf(env: Env): CiChange {
  const head = commit(env, "CI_COMMIT_SHA");
  if (head === undefined)
    return { kind: "no-base", detail: "CI_COMMIT_SHA names no commit" };
  const number = count(env, "CI_MERGE_REQUEST_IID");
  const targetBranch = text(env, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME");
  if (number !== undefined && targetBranch !== undefined)
    return {
      kind: "merge-request",
      number,
      targetBranch,
      head,
      // The variable is set in pipelines of merged results and merge trains, where the checkout is a trial merge.
      source: commit(env, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA") ?? head,
    };
  return pushOf({
    before: commit(env, "CI_COMMIT_BEFORE_SHA"),
    after: head,
    tag: text(env, "CI_COMMIT_TAG"),
    isSchedule: env["CI_PIPELINE_SOURCE"] === "schedule",
  });
}
