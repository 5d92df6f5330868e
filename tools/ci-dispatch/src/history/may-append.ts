import { ciOf } from "@skein/ci";
import type { Env } from "@skein/ci";

/**
 * Checks whether this run may write the history: only a push to the default branch, or a group of its merge queue, may.
 * Pure. Only changes that satisfy the requirements of a merge enter that queue.
 * @param payload GitHub's event as JSON
 * @returns the reason why it may not; undefined if it may
 */
export function mayAppend(env: Env, payload: string): string | undefined {
  const {
    engine,
    event: { name: event },
    ref = "",
  } = ciOf(env);
  if (engine !== "github-actions") return "this isn't a run of a workflow";
  if (event !== "push" && event !== "merge_group")
    return `this run is for the event ${event}`;
  const { branch, group } = readPayload(payload);
  if (branch === undefined) return "the event names no default branch";
  if (event === "merge_group")
    return group === `refs/heads/${branch}`
      ? undefined
      : `this run is for a group of ${group ?? "an unknown branch"}, and the default branch is ${branch}`;
  return ref === `refs/heads/${branch}`
    ? undefined
    : `this run is for ${ref}, and the default branch is ${branch}`;
}

interface Payload {
  /** The name of the default branch. */
  readonly branch: string | undefined;
  /** The full name of the ref that a merge group targets. */
  readonly group: string | undefined;
}

function readPayload(payload: string): Payload {
  try {
    const { repository, merge_group: group } = JSON.parse(payload) as {
      repository?: { default_branch?: unknown } | null;
      merge_group?: { base_ref?: unknown } | null;
    };
    return {
      branch: textOf(repository?.default_branch),
      group: textOf(group?.base_ref),
    };
  } catch {
    return { branch: undefined, group: undefined };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
