import type { DeliveryEvent, Instant } from "../events/event.js";
import type { RepositoryFacts } from "../facts/facts.js";
import { gatherFacts } from "../facts/facts.js";
import { linkEvents } from "../link/link-events.js";
import { openBaseBranches } from "../timeline/base-branch.js";
import { openPublications } from "../timeline/publications.js";
import type { Excluded, Timeline } from "../timeline/timeline.js";
import { timelineOf } from "../timeline/timeline.js";
import { withUpgrades } from "../timeline/upgrades.js";
import type { Until } from "./report.js";

export interface LayOutOptions {
  /** What happened then or later is not known yet. */
  readonly asOf: Instant;
  /** Undefined for the farthest that anything is known of. */
  readonly until: Until | undefined;
  /** Programs' pull requests count too. */
  readonly bots: boolean;
  /** Pull requests that ended before are left out. */
  readonly since: Instant;
}

/** Every merged pull request, laid out or excluded. */
export interface Layout {
  /** One of each id, in order of time, before `asOf`. */
  readonly events: readonly DeliveryEvent[];
  readonly until: Until;
  readonly repositories: ReadonlyMap<string, RepositoryFacts>;
  readonly timelines: readonly Timeline[];
  readonly excluded: readonly Excluded[];
}

/** Lays out everything that a report may need. @param all events, in any order, of one or more repositories */
export function layOut(
  all: Iterable<DeliveryEvent>,
  { asOf, until: asked, bots, since }: LayOutOptions,
): Layout {
  const events = linkEvents(known(all, asOf));
  const repositories = gatherFacts(events);
  const until = asked ?? farthest(events);
  const upgraded = until === "upgraded";
  const every: (Timeline | Excluded)[] = [];
  for (const facts of repositories.values()) {
    const branches = openBaseBranches(facts);
    const surroundings = {
      facts,
      branches,
      publicationOf: openPublications(facts, branches),
      until: upgraded ? ("published" as const) : until,
      asOf,
      // What was published long ago may have been taken only now.
      since: upgraded ? -Infinity : since,
    };
    for (const pull of facts.pulls.values()) {
      const timeline = timelineOf(pull, surroundings);
      if (timeline) every.push(timeline);
    }
  }
  const timelines: Timeline[] = [];
  const excluded: Excluded[] = [];
  for (const timeline of upgraded ? withUpgrades(every) : every)
    if (timeline.facts.opened?.bot && !bots)
      excluded.push({
        facts: timeline.facts,
        reason: "bot",
        at: "reason" in timeline ? timeline.at : timeline.ended,
      });
    else if ("reason" in timeline) excluded.push(timeline);
    else timelines.push(timeline);
  return { events, until, repositories, timelines, excluded };
}

/** The farthest end that anything is known of. */
function farthest(events: readonly DeliveryEvent[]): Until {
  const publishers = new Map<string, Set<string>>();
  let any = false;
  for (const event of events) {
    if (event.kind !== "published") continue;
    any = true;
    for (const { name } of event.packages ?? []) {
      const of = publishers.get(name) ?? new Set();
      publishers.set(name, of.add(event.repository));
    }
  }
  if (!any) return "merged";
  const taken = events.some(
    (event) =>
      event.kind === "pull-upgrades" &&
      event.upgrades.some(({ name }) =>
        [...(publishers.get(name) ?? [])].some(
          (repository) => repository !== event.repository,
        ),
      ),
  );
  return taken ? "upgraded" : "published";
}

function* known(
  events: Iterable<DeliveryEvent>,
  asOf: Instant,
): Iterable<DeliveryEvent> {
  for (const event of events) if (event.at < asOf) yield event;
}
