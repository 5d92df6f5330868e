import type { WholeCheck } from "./check-whole.js";
import type { BatchRow } from "./render-batch.js";

/** Returns `{"event":"repository", …}`: the result for one repository, as soon as it is known. */
export function repositoryEvent({
  took,
  size,
  failedSince,
  notes = [],
  ...row
}: BatchRow): object {
  return {
    event: "repository",
    ...row,
    ...(took !== undefined && { milliseconds: took }),
    ...(size !== undefined && { bytes: size }),
    ...(failedSince === true && { failedSince }),
    notes,
  };
}

/** Returns `{"event":"workspace", …}`: the result of checking the workspace with all repositories. */
export function workspaceEvent({ ok, lines }: WholeCheck): object {
  return { event: "workspace", ok, lines };
}
