import { linkEvents } from "@skein/delivery-metrics";
import type {
  DeliveryEvent,
  EventKind,
  EventOf,
} from "@skein/delivery-metrics";
import { pullsTable } from "./pulls-table.js";
import { columnsIn, type Cell, type MakeTable, type Table } from "./table.js";

/**
 * Defines a table whose rows come from the events of a kind.
 * @param columns names and types: `pull number, package text`
 */
function tableOf<Kind extends EventKind>(
  name: string,
  kind: Kind,
  columns: string,
  rows: (event: EventOf<Kind>) => readonly (readonly Cell[])[],
): MakeTable {
  return (events) => ({
    name,
    columns: columnsIn(`repository text, ${columns}`),
    rows: events.flatMap((event) =>
      event.kind === kind
        ? rows(event as EventOf<Kind>).map((row) => [event.repository, ...row])
        : [],
    ),
  });
}

/** All tables. A new one needs a line here and one in docs/metrics.md. */
const TABLES: readonly MakeTable[] = [
  pullsTable,
  tableOf(
    "pull_packages",
    "pull-attributed",
    "pull number, package text",
    ({ pull, packages }) => packages.map((name) => [pull, name]),
  ),
  tableOf(
    "pull_owners",
    "pull-attributed",
    "pull number, owner text",
    ({ pull, owners }) => owners.map((name) => [pull, name]),
  ),
  tableOf(
    "pushes",
    "pull-pushed",
    "pull number, sha text, pushed_at time, forced flag",
    ({ pull, sha, at, forced }) => [[pull, sha, at, forced]],
  ),
  tableOf(
    "reviews",
    "pull-reviewed",
    "pull number, review number, reviewer text, bot flag, state text, submitted_at time",
    ({ pull, review, reviewer, bot, state, at }) => [
      [pull, review, reviewer, bot, state, at],
    ],
  ),
  runsTable,
  tableOf(
    "jobs",
    "run-completed",
    "run number, attempt number, name text, created_at time, started_at time, completed_at time, conclusion text",
    ({ run, attempt, jobs }) =>
      jobs.map(({ name, created, started, completed, conclusion }) => [
        ...[run, attempt, name, created, started, completed, conclusion],
      ]),
  ),
  tableOf(
    "publications",
    "published",
    "channel text, key text, sha text, environment text, package text, version text, started_at time, published_at time",
    ({ channel, key, sha, environment, packages, started, at }) =>
      (packages ?? [{ name: null, version: null }]).map(({ name, version }) => [
        ...[channel, key, sha, environment, name, version, started, at],
      ]),
  ),
];

/** Makes all tables from a store's events, after linking them. This function is pure. */
export function makeTables(events: Iterable<DeliveryEvent>): readonly Table[] {
  const linked = linkEvents(events);
  return TABLES.map((make) => make(linked));
}

function runsTable(events: readonly DeliveryEvent[]): Table {
  const ended = new Map<string, EventOf<"run-completed">>();
  for (const event of events)
    if (event.kind === "run-completed")
      ended.set(`${event.repository} ${event.run} ${event.attempt}`, event);
  return {
    name: "runs",
    columns: columnsIn(
      "repository text, run number, attempt number, workflow text, path text, event text, branch text, sha text, pull number, created_at time, started_at time, completed_at time, conclusion text",
    ),
    rows: events.flatMap((event) => {
      if (event.kind !== "run-started") return [];
      const { repository, run, attempt } = event;
      const end = ended.get(`${repository} ${run} ${attempt}`);
      return [
        [
          ...[repository, run, attempt, event.workflow, event.path],
          ...[event.event, event.branch, event.sha, event.pulls[0] ?? null],
          ...[event.created, event.at, end?.at ?? null],
          end?.conclusion ?? null,
        ],
      ];
    }),
  };
}
