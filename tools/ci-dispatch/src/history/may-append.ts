import { ciOf } from "@skein/ci";
import type { Env } from "@skein/ci";

/**
 * Whether this run may write the history: a push to the default branch. Pure.
 * @param payload GitHub's event, as JSON
 * @returns why not, in words; undefined where it may
 */
export function mayAppend(env: Env, payload: string): string | undefined {
  const {
    engine,
    event: { name: event },
    ref = "",
  } = ciOf(env);
  if (engine !== "github-actions") return "this is no run of a workflow";
  if (event !== "push") return `this run is for the event ${event}`;
  const branch = defaultBranchOf(payload);
  if (branch === undefined) return "the event names no default branch";
  return ref === `refs/heads/${branch}`
    ? undefined
    : `this run is for ${ref}, and the default branch is ${branch}`;
}

function defaultBranchOf(payload: string): string | undefined {
  try {
    const { repository } = JSON.parse(payload) as {
      repository?: { default_branch?: unknown } | null;
    };
    const branch = repository?.default_branch;
    return typeof branch === "string" && branch !== "" ? branch : undefined;
  } catch {
    return undefined;
  }
}
