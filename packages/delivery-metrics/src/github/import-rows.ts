import type { DeliveryEvent } from "../events/event.js";
import { readActivity } from "./activity-events.js";
import {
  publishedByRuns,
  readDeployment,
  readRelease,
} from "./publish-events.js";
import type { PublishRule } from "./publish-rule.js";
import type { UpgradeRule } from "./upgrades.js";
import { pullEvents } from "./pull-events.js";
import type { TimelineFact } from "./pull-facts.js";
import { readRestPull, readRestReview, readRestTimeline } from "./rest-pull.js";
import { kindOfRow, type RowKind } from "./row-kind.js";
import { Row } from "./row.js";
import { importRuns } from "./import-runs.js";

/** A stored row of the REST API. */
export interface RecordedRow {
  readonly row: unknown;
  /** The URL of the request that returned it; undefined if it was not stored. */
  readonly url: string | undefined;
}

/** The rules for publications and upgrades in a repository. */
export interface MeasuringRules {
  readonly publish: readonly PublishRule[];
  readonly upgrades: readonly UpgradeRule[];
}

/** The result of importing rows. */
export interface ImportedRows {
  readonly events: readonly DeliveryEvent[];
  /** The number of rows of each kind. */
  readonly kinds: ReadonlyMap<RowKind, number>;
  /** Messages about rows that could not be read completely. */
  readonly notes: readonly string[];
}

/**
 * Returns the events of recorded rows of GitHub's REST API. The kind of each row follows from its members. Pure. Rows
 * may occur twice and in any order. Of several rows for one object, the last one counts.
 * @param repository `owner/name`, for rows that don't contain it
 */
export function importRows(
  rows: readonly RecordedRow[],
  repository: string,
  rulesOf: (repository: string) => MeasuringRules,
): ImportedRows {
  const kinds = new Map<RowKind, number>();
  const by = new Map<RowKind, { readonly row: Row; readonly url: string }[]>();
  for (const { row: value, url = "" } of rows) {
    const row = Row.of(value);
    const kind = row ? kindOfRow(row) : "unknown";
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (row) by.set(kind, [...(by.get(kind) ?? []), { row, url }]);
  }
  const all = (kind: RowKind) => by.get(kind) ?? [];
  const notes: string[] = [];

  const timelines = new Map<number, TimelineFact[]>();
  let lost = 0;
  for (const kind of ["review", "timeline"] as const)
    for (const { row, url } of all(kind)) {
      const pull = pullOf(row, url);
      const read = kind === "review" ? readRestReview : readRestTimeline;
      const fact = read(row);
      if (pull === undefined) lost++;
      else if (fact)
        timelines.set(pull, [...(timelines.get(pull) ?? []), fact]);
    }
  if (lost > 0) notes.push(`${lost} rows do not name their pull request`);

  const events: DeliveryEvent[] = [];
  for (const { row } of all("pull")) {
    const timeline = timelines.get(row.whole("number") ?? -1) ?? [];
    const facts = readRestPull(row, timeline);
    const of = repositoryOf(row) ?? repository;
    if (facts) events.push(...pullEvents(of, facts, rulesOf(of).upgrades));
  }
  const runs = importRuns(
    all("run").map(({ row }) => row),
    all("job").map(({ row }) => row),
    (row) => repositoryOf(row) ?? repository,
  );
  const publish = (of: string) => rulesOf(of).publish;
  events.push(...runs.events, ...publishedByRuns(runs.events, publish));
  notes.push(...runs.notes);
  for (const { row } of all("activity")) {
    const event = readActivity(repository, row);
    if (event) events.push(event);
  }
  for (const { row } of all("release")) {
    const of = repositoryOf(row) ?? repository;
    events.push(...readRelease(of, row, publish(of)));
  }
  for (const { row } of all("deployment")) {
    const statuses = all("deployment-status")
      .map((each) => each.row)
      .filter((each) => each.text("deployment_url") === row.text("url"));
    const of = repositoryOf(row) ?? repository;
    events.push(...readDeployment(of, row, statuses, publish(of)));
  }
  return { events, kinds, notes };
}

/** Returns the number of the pull request that a row belongs to, from the request's URL or from the row's own URLs. */
function pullOf(row: Row, url: string): number | undefined {
  const places = [url, row.text("pull_request_url"), row.text("issue_url")];
  for (const place of places) {
    const [, number] =
      /\/(?:pulls|issues)\/(\d{1,9})\b/.exec(place ?? "") ?? [];
    if (number !== undefined) return Number(number);
  }
  return row.row("issue")?.whole("number");
}

/** Returns `owner/name` from the row's own URL. */
export function repositoryOf(row: Row): string | undefined {
  const [, repository] =
    /\/repos\/([\w.-]+\/[\w.-]+)\//.exec(row.text("url") ?? "") ?? [];
  return repository;
}
