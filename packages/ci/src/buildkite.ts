import type { Ci, CiChange, Env } from "./ci.js";
import { BY_VARIABLES, commit, count, pushOf, text } from "./read.js";

/**
 * Reads Buildkite's variables. Buildkite shows a summary as an annotation: `verdict --summary` writes the text for its
 * agent.
 */
export function buildkite(env: Env): Omit<Ci, "engine"> {
  const retries = count(env, "BUILDKITE_RETRY_COUNT") ?? 0;
  const server = serverOf(env);
  return {
    ...BY_VARIABLES,
    repository: server?.path,
    server: server?.origin,
    commit: commit(env, "BUILDKITE_COMMIT"),
    ref: refOf(env),
    defaultBranch: text(env, "BUILDKITE_PIPELINE_DEFAULT_BRANCH"),
    pull: count(env, "BUILDKITE_PULL_REQUEST"),
    run: {
      id: text(env, "BUILDKITE_BUILD_ID"),
      attempt: retries + 1,
      url: text(env, "BUILDKITE_BUILD_URL"),
      job: text(env, "BUILDKITE_STEP_KEY") ?? text(env, "BUILDKITE_LABEL"),
      workflow: undefined,
    },
    event: {
      kind: "variables",
      name: text(env, "BUILDKITE_SOURCE") ?? "build",
      change: changeOf(env),
    },
  };
}

/** Returns the server and path in `BUILDKITE_REPO`: `git@github.com:acme/shop.git`, `https://github.com/acme/shop`. */
function serverOf(env: Env): { origin: string; path: string } | undefined {
  const address = text(env, "BUILDKITE_REPO") ?? "";
  const found =
    /^(?:(?:https?|ssh|git):\/\/)?(?:[^@/]*@)?([\w.-]+)(?::\d+)?[:/](.+?)(?:\.git)?\/?$/.exec(
      address,
    );
  const [, host, path] = found ?? [];
  return host === undefined || path === undefined
    ? undefined
    : { origin: `https://${host}`, path };
}

function refOf(env: Env): string | undefined {
  const tag = text(env, "BUILDKITE_TAG");
  if (tag !== undefined) return `refs/tags/${tag}`;
  const branch = text(env, "BUILDKITE_BRANCH");
  // The author chooses the name of a pull request's branch, which may equal that of the default branch.
  return branch === undefined || text(env, "BUILDKITE_PULL_REQUEST") !== "false"
    ? undefined
    : `refs/heads/${branch}`;
}

/**
 * Returns the change. Buildkite has no variable for the commit before a push, so a branch is compared with the default
 * branch.
 */
function changeOf(env: Env): CiChange {
  const head = commit(env, "BUILDKITE_COMMIT");
  if (head === undefined)
    return { kind: "no-base", detail: "BUILDKITE_COMMIT names no commit" };
  const group = commit(env, "BUILDKITE_MERGE_QUEUE_BASE_COMMIT");
  if (group !== undefined) return { kind: "merge-group", base: group, head };
  const number = count(env, "BUILDKITE_PULL_REQUEST");
  const targetBranch = text(env, "BUILDKITE_PULL_REQUEST_BASE_BRANCH");
  if (number !== undefined && targetBranch !== undefined)
    return {
      kind: "merge-request",
      number,
      targetBranch,
      head,
      source: head,
    };
  return pushOf({
    before: undefined,
    after: head,
    tag: text(env, "BUILDKITE_TAG"),
    isSchedule: env["BUILDKITE_SOURCE"] === "schedule",
  });
}
