import type { DeliveryEvent, EventOf } from "@skein/delivery-metrics";
import { columnsIn, type Table } from "./table.js";

interface PullRow {
  readonly opened: EventOf<"pull-opened">;
  pushed: number | null;
  merged: EventOf<"pull-merged"> | undefined;
  /** The time of a close without a merge, unless the pull request was reopened. */
  closed: number | null;
  reverted: number | null;
}

/**
 * Makes a table with a row for each pull request.
 * @param events in order of time
 */
export function pullsTable(events: readonly DeliveryEvent[]): Table {
  const pulls = new Map<string, PullRow>();
  for (const event of events)
    if (event.kind === "pull-opened")
      pulls.set(`${event.repository} ${event.pull}`, {
        opened: event,
        pushed: null,
        merged: undefined,
        closed: null,
        reverted: null,
      });
  for (const event of events) {
    if (!("pull" in event) || event.pull === null) continue;
    const row = pulls.get(`${event.repository} ${event.pull}`);
    if (row) take(row, event);
  }
  return {
    name: "pulls",
    columns: columnsIn(
      "repository text, pull number, title text, author text, bot flag, fork flag, branch text, base text, first_pushed_at time, opened_at time, merged_at time, closed_at time, merge_sha text, merge_method text, reverted_by number",
    ),
    rows: [...pulls.values()].map(
      ({ opened, pushed, merged, closed, reverted }) => [
        ...[opened.repository, opened.pull, opened.title, opened.author],
        ...[opened.bot, opened.fork, opened.branch, opened.base],
        ...[pushed, opened.at, merged?.at ?? null, merged ? null : closed],
        ...[merged?.sha ?? null, merged?.method ?? null, reverted],
      ],
    ),
  };
}

function take(row: PullRow, event: DeliveryEvent): void {
  if (event.kind === "pull-pushed") row.pushed ??= event.at;
  if (event.kind === "pull-merged") row.merged = event;
  if (event.kind === "pull-closed") row.closed = event.at;
  if (event.kind === "pull-reopened") row.closed = null;
  if (event.kind === "pull-reverted") row.reverted = event.by;
}
