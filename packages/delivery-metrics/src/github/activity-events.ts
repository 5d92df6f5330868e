import type { EventOf } from "../events/event.js";
import type { Row } from "./row.js";

const FORCED: Readonly<Record<string, boolean>> = {
  push: false,
  branch_creation: false,
  force_push: true,
};

/**
 * Reads a row of the repository's activity.
 * @returns undefined for other activity than a user's push to a branch, such as merges and deletions
 * @see https://docs.github.com/rest/repos/repos#list-repository-activities
 */
export function readActivity(
  repository: string,
  row: Row,
): EventOf<"branch-pushed"> | undefined {
  const at = row.time("timestamp");
  const sha = row.sha("after");
  const [, branch] = /^refs\/heads\/(.+)$/.exec(row.text("ref") ?? "") ?? [];
  const forced = FORCED[row.text("activity_type") ?? ""];
  if (at === undefined || sha === undefined) return undefined;
  if (branch === undefined || forced === undefined) return undefined;
  return { kind: "branch-pushed", at, repository, branch, sha, forced };
}
