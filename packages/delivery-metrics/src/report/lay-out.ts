import type { DeliveryEvent, Instant } from "../events/event.js";
import type { RepositoryFacts } from "../facts/facts.js";
import { gatherFacts } from "../facts/facts.js";
import { linkEvents } from "../link/link-events.js";
import { openBaseBranches } from "../timeline/base-branch.js";
import { openPublications } from "../timeline/publications.js";
import type { Excluded, Timeline } from "../timeline/timeline.js";
import { timelineOf } from "../timeline/timeline.js";
import type { Until } from "./report.js";

export interface LayOutOptions {
  /** What happened then or later is not known yet. */
  readonly asOf: Instant;
  /** Undefined for `published` where any publication is known, else `merged`. */
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
  const until =
    asked ??
    (events.some(({ kind }) => kind === "published") ? "published" : "merged");
  const repositories = gatherFacts(events);
  const timelines: Timeline[] = [];
  const excluded: Excluded[] = [];
  for (const facts of repositories.values()) {
    const branches = openBaseBranches(facts);
    const surroundings = {
      facts,
      branches,
      publicationOf: openPublications(facts, branches),
      until: until === "upgraded" ? ("published" as const) : until,
      asOf,
      since,
    };
    for (const pull of facts.pulls.values()) {
      const timeline = timelineOf(pull, surroundings);
      if (!timeline) continue;
      if (pull.opened?.bot && !bots)
        excluded.push({
          facts: pull,
          reason: "bot",
          at: "reason" in timeline ? timeline.at : timeline.ended,
        });
      else if ("reason" in timeline) excluded.push(timeline);
      else timelines.push(timeline);
    }
  }
  return { events, until, repositories, timelines, excluded };
}

function* known(
  events: Iterable<DeliveryEvent>,
  asOf: Instant,
): Iterable<DeliveryEvent> {
  for (const event of events) if (event.at < asOf) yield event;
}
