import { ciOf, type Env } from "@skein/ci";
import { parsePayload, textOf } from "../github-event.js";

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
  const { repository, merge_group: merging } = parsePayload(payload);
  const branch = textOf(repository?.default_branch);
  if (branch === "") return "the event names no default branch";
  const group = textOf(merging?.base_ref);
  if (event === "merge_group")
    return group === `refs/heads/${branch}`
      ? undefined
      : `this run is for a group of ${group || "an unknown branch"}, and the default branch is ${branch}`;
  return ref === `refs/heads/${branch}`
    ? undefined
    : `this run is for ${ref}, and the default branch is ${branch}`;
}
