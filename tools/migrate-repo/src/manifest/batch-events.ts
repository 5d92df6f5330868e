import { VERSION } from "../words/events.js";
import type { WholeCheck } from "./check-whole.js";
import type { BatchRow } from "./render-batch.js";

/** `{"event":"repository", …}`: what became of one, as soon as it is known. */
export function repositoryEvent({
  took,
  size,
  failedSince,
  notes = [],
  ...row
}: BatchRow): object {
  return {
    version: VERSION,
    event: "repository",
    ...row,
    ...(took !== undefined && { milliseconds: took }),
    ...(size !== undefined && { bytes: size }),
    ...(failedSince === true && { failedSince }),
    notes,
  };
}

/** `{"event":"workspace", …}`: what came of the workspace with all of them in it. */
export function workspaceEvent({ ok, lines }: WholeCheck): object {
  return { version: VERSION, event: "workspace", ok, lines };
}
