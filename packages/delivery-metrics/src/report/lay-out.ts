import type { DeliveryEvent, EventKind, Instant } from "../events/event.js";
import type { Facts, RepositoryFacts } from "../facts/facts.js";
import { gatherFacts } from "../facts/facts.js";
import { linkEvents } from "../link/link-events.js";
import { openBaseBranches } from "../timeline/base-branch.js";
import { openPublications } from "../timeline/publications.js";
import type { Excluded, Timeline } from "../timeline/timeline.js";
import { timelineOf } from "../timeline/timeline.js";
import { withUpgrades } from "../timeline/upgrades.js";
import type { Until } from "./report.js";

export interface LayOutOptions {
  /** Events at this time or later are ignored. */
  readonly asOf: Instant;
  /** Undefined for the farthest end that any event supports. */
  readonly until: Until | undefined;
  /** Whether pull requests of programs count too. */
  readonly bots: boolean;
  /** Pull requests that ended before this are skipped. */
  readonly since: Instant;
}

/** Every merged pull request, laid out or excluded. */
export interface Layout {
  /** The facts that were known at `asOf`. */
  readonly facts: Facts;
  /** The time of the newest event from GitHub or a registry; undefined if there is none. */
  readonly newest: Instant | undefined;
  readonly until: Until;
  readonly timelines: readonly Timeline[];
  /** The timelines of programs' pull requests, unless these count like all others. */
  readonly byBots: readonly Timeline[];
  readonly excluded: readonly Excluded[];
}

/** Plans and verdicts add these events themselves, even if the store is no longer synchronised. */
const OWN_KINDS: readonly EventKind[] = [
  "jobs-selected",
  "run-judged",
  "units-reused",
];

/**
 * Lays out everything that a report may need.
 * @param all events, in any order, of one or more repositories
 */
export function layOut(
  all: Iterable<DeliveryEvent>,
  { asOf, until: asked, bots, since }: LayOutOptions,
): Layout {
  const events = known(all, asOf);
  const facts = gatherFacts(linkEvents(events));
  const newest = events.reduce(
    (most, { kind, at }) =>
      OWN_KINDS.includes(kind) ? most : Math.max(most, at),
    -Infinity,
  );
  const repositories = [...facts.repositories.values()];
  const until = asked ?? farthest(repositories);
  const upgraded = until === "upgraded";
  const every: (Timeline | Excluded)[] = [];
  for (const repository of repositories) {
    const branches = openBaseBranches(repository);
    const surroundings = {
      facts: repository,
      branches,
      publicationOf: openPublications(repository, branches),
      until: upgraded ? ("published" as const) : until,
      asOf,
      // A recent upgrade may contain an old publication.
      since: upgraded ? -Infinity : since,
    };
    for (const pull of repository.pulls.values()) {
      const timeline = timelineOf(pull, surroundings);
      if (timeline) every.push(timeline);
    }
  }
  const timelines: Timeline[] = [];
  const byBots: Timeline[] = [];
  const excluded: Excluded[] = [];
  for (const timeline of upgraded ? withUpgrades(every, asOf) : every) {
    const { facts } = timeline;
    const isBots = facts.opened?.bot === true && !bots;
    if ("reason" in timeline)
      excluded.push(isBots ? { ...timeline, reason: "bot" } : timeline);
    else if (isBots) {
      byBots.push(timeline);
      excluded.push({ facts, reason: "bot", at: countsAt(timeline) });
    } else timelines.push(timeline);
  }
  return {
    facts,
    newest: newest === -Infinity ? undefined : newest,
    until,
    timelines,
    byBots,
    excluded,
  };
}

/** Returns the time at which a pull request counts: its end, or its merge if it has not ended. */
export function countsAt({ unfinished, merged, ended }: Timeline): Instant {
  return unfinished ? merged : ended;
}

/** Returns the farthest end that any event supports. */
function farthest(repositories: readonly RepositoryFacts[]): Until {
  const publishers = new Map<string, Set<string>>();
  for (const { name: repository, publications } of repositories)
    for (const { packages } of publications)
      for (const { name } of packages ?? []) {
        const of = publishers.get(name) ?? new Set();
        publishers.set(name, of.add(repository));
      }
  if (repositories.every(({ publications }) => publications.length === 0))
    return "merged";
  const isElsewhere = (name: string, repository: string) =>
    [...(publishers.get(name) ?? [])].some((each) => each !== repository);
  const taken = repositories.some(({ name: repository, pulls }) =>
    [...pulls.values()].some(({ upgrades }) =>
      upgrades?.upgrades.some(({ name }) => isElsewhere(name, repository)),
    ),
  );
  return taken ? "upgraded" : "published";
}

function known(
  events: Iterable<DeliveryEvent>,
  asOf: Instant,
): readonly DeliveryEvent[] {
  const before: DeliveryEvent[] = [];
  for (const event of events) if (event.at < asOf) before.push(event);
  return before;
}
