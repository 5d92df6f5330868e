import type { Instant, Published } from "../events/event.js";
import { gatherFacts, type PullFacts } from "../facts/facts.js";
import { linkMerged } from "../link/link-events.js";
import type { EventLog } from "../log/event-log.js";
import type { RepositoryLog } from "../log/repository-log.js";
import { slicesOf } from "../log/slices.js";
import { openBaseBranches, Tips } from "../timeline/base-branch.js";
import { openPublications } from "../timeline/publications.js";
import { timelineOf } from "../timeline/timeline.js";
import type { Excluded, Timeline } from "../timeline/timeline.js";
import { withUpgrades } from "../timeline/upgrades.js";
import type { ExclusionReason } from "./coverage.js";
import { Measured, MeasuredStore, type Shared } from "./measured.js";
import type { PullRef, Until } from "./report.js";

/** A display of the progress of measuring. */
export interface MeasuringProgress {
  /** @param pulls the number of pull requests that are measured so far */
  show(pulls: number): void;
  close(): void;
}

export interface LayOutOptions {
  /** Undefined for the farthest end that any event supports. */
  readonly until: Until | undefined;
  /** Whether pull requests of programs count too. */
  readonly bots: boolean;
  /** Pull requests that ended before this are skipped. */
  readonly since: Instant;
  /** The number of events that are held as objects at a time, roughly. */
  readonly slice: number;
  readonly progress: MeasuringProgress | undefined;
}

/** Every merged pull request, measured or excluded. */
export interface Layout {
  readonly until: Until;
  readonly measured: readonly Measured[];
  /** The programs' pull requests, unless these count like all others. */
  readonly byBots: readonly Measured[];
  readonly missing: readonly Missing[];
}

/** A pull request that isn't measured, and the time at which it would have counted. */
export interface Missing {
  readonly ref: PullRef;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
  readonly reason: ExclusionReason;
  readonly at: Instant;
}

/**
 * Lays out the pull requests of one repository after the other.
 * @param log the events; each repository's are dropped as soon as it is laid out
 * @param also is called with the log of each repository before that, and returns the set-up time of its legs in
 *   milliseconds, if it is known
 */
export function layOut(
  log: EventLog,
  { until: asked, bots, since, slice, progress }: LayOutOptions,
  also: (log: RepositoryLog) => number | undefined,
): Layout {
  const until = asked ?? farthest(log.repositories);
  const isUpgraded = until === "upgraded";
  const sorting = new Sorting(bots, since);
  const every: (Timeline | Excluded)[] = [];
  let pulls = 0;
  for (const own of log.take()) {
    const options = {
      asOf: log.asOf,
      setupMs: also(own),
      until: isUpgraded ? ("published" as const) : until,
      // A recent upgrade may contain an old publication.
      since: isUpgraded ? -Infinity : since,
      slice,
    };
    for (const each of timelinesOf(own, options)) {
      progress?.show(++pulls);
      if (isUpgraded) every.push(each);
      else sorting.add(each);
    }
  }
  progress?.close();
  for (const each of withUpgrades(every, log.asOf)) sorting.add(each);
  const { measured: all, byBots, missing } = sorting;
  return { until, measured: all, byBots, missing };
}

function* timelinesOf(
  log: RepositoryLog,
  options: Pick<LayOutOptions, "since" | "slice"> & {
    readonly asOf: Instant;
    readonly setupMs: number | undefined;
    readonly until: Exclude<Until, "upgraded">;
  },
): Generator<Timeline | Excluded> {
  const ofLog = openLog(log);
  for (const slice of slicesOf(log, options.slice)) {
    const facts = gatherFacts(linkMerged(slice));
    const surroundings = { ...options, ...ofLog, facts };
    for (const pull of facts.pulls.values()) {
      const timeline = timelineOf(pull, surroundings);
      if (timeline) yield timeline;
    }
  }
}

/** Reads what all slices of a log need. The tips of its base branches are dropped afterwards. */
function openLog(log: RepositoryLog) {
  const tips = new Tips(log);
  const branches = openBaseBranches(log, tips);
  const publicationOf = openPublications([...log.of("published")], tips);
  return { branches, publicationOf };
}

/** Measures timelines, and drops those that no report of the window needs. */
class Sorting {
  readonly measured: Measured[] = [];
  readonly byBots: Measured[] = [];
  readonly missing: Missing[] = [];
  readonly #bots: boolean;
  readonly #since: Instant;
  readonly #shared = new Map<string, Shared>();
  readonly #store = new MeasuredStore();

  constructor(bots: boolean, since: Instant) {
    this.#bots = bots;
    this.#since = since;
  }

  add(each: Timeline | Excluded): void {
    const { repository, pull, opened } = each.facts;
    const isBots = opened?.bot === true && !this.#bots;
    const shared = this.#sharedOf(each.facts);
    const { packages, owners } = shared;
    const miss = (reason: ExclusionReason, at: Instant) => {
      if (at >= this.#since)
        this.missing.push({
          ...{ ref: { repository, pull }, packages, owners },
          ...{ reason, at },
        });
    };
    if ("reason" in each) {
      miss(isBots ? "bot" : each.reason, each.at);
      return;
    }
    if (isBots) miss("bot", countsAt(each));
    // Neither the window nor its series contains such a pull request, and as a revert it equals an unknown one.
    if (each.unfinished && each.merged < this.#since) return;
    const list = isBots ? this.byBots : this.measured;
    list.push(new Measured(each, shared));
  }

  /** Returns one object for all pull requests of a repository with the same packages and owners. */
  #sharedOf({ repository, attributed }: PullFacts): Shared {
    const { packages = [], owners = [] } = attributed ?? {};
    const key = JSON.stringify([repository, packages, owners]);
    const known = this.#shared.get(key);
    if (known) return known;
    const shared = { store: this.#store, repository, packages, owners };
    this.#shared.set(key, shared);
    return shared;
  }
}

/** Returns the time at which a pull request counts: its end, or its merge if it has not ended. */
export function countsAt({
  unfinished,
  merged,
  ended,
}: Pick<Timeline, "unfinished" | "merged" | "ended">): Instant {
  return unfinished ? merged : ended;
}

/** Returns the farthest end that any event supports. Sorting all logs at once would take four bytes more for each event. */
function farthest(repositories: readonly RepositoryLog[]): Until {
  const publishers = new Map<string, Set<string>>();
  let anyPublication: Published | undefined;
  for (const log of repositories)
    for (const published of log.unsorted("published")) {
      anyPublication = published;
      for (const { name } of published.packages ?? [])
        publishers.set(name, (publishers.get(name) ?? new Set()).add(log.name));
    }
  if (!anyPublication) return "merged";
  const isElsewhere = (name: string, repository: string) =>
    [...(publishers.get(name) ?? [])].some((each) => each !== repository);
  const isTaken = repositories.some((log) =>
    [...log.unsorted("pull-upgrades")].some(({ upgrades }) =>
      upgrades.some(({ name }) => isElsewhere(name, log.name)),
    ),
  );
  return isTaken ? "upgraded" : "published";
}
