import { endIdOf, eventId } from "../events/event-id.js";
import type {
  DeliveryEvent,
  EventOf,
  RunCompleted,
  RunStarted,
} from "../events/event.js";

/** All known events of one pull request, with its marks in order of time. */
export interface PullFacts {
  readonly repository: string;
  readonly pull: number;
  opened: EventOf<"pull-opened"> | undefined;
  merged: EventOf<"pull-merged"> | undefined;
  reverted: EventOf<"pull-reverted"> | undefined;
  attributed: EventOf<"pull-attributed"> | undefined;
  upgrades: EventOf<"pull-upgrades"> | undefined;
  readonly pushes: EventOf<"pull-pushed">[];
  readonly marks: Mark[];
}

/** An event that changes the state of a pull request and may happen several times. */
export type Mark = EventOf<
  | "pull-ready"
  | "pull-draft"
  | "pull-reviewed"
  | "pull-review-dismissed"
  | "pull-closed"
  | "pull-reopened"
  | "queue-entered"
  | "queue-left"
>;

/** One attempt of a run. It is in progress if `completed` is undefined. */
export interface RunFacts {
  readonly started: RunStarted;
  readonly completed: RunCompleted | undefined;
}

/** The facts about pull requests of one repository: all of them, or those of a slice. */
export interface RepositoryFacts {
  readonly pulls: ReadonlyMap<number, PullFacts>;
  readonly runsBySha: ReadonlyMap<string, readonly RunFacts[]>;
  readonly runsByPull: ReadonlyMap<number, readonly RunFacts[]>;
}

/**
 * Groups the events of one repository by their pull requests and runs. Other events are skipped.
 * @param events one per id, in order of time (`linkEvents`)
 */
export function gatherFacts(events: Iterable<DeliveryEvent>): RepositoryFacts {
  const pulls = new Map<number, PullFacts>();
  const starts: RunStarted[] = [];
  const ends = new Map<string, RunCompleted>();
  for (const event of events)
    if (event.kind === "run-started") starts.push(event);
    else if (event.kind === "run-completed") ends.set(eventId(event), event);
    else if (isOfPull(event)) addToPull(event, pulls);
  const runsBySha = new Map<string, RunFacts[]>();
  const runsByPull = new Map<number, RunFacts[]>();
  for (const started of starts) {
    const run = { started, completed: ends.get(endIdOf(started)) };
    at(runsBySha, started.sha, () => []).push(run);
    for (const pull of pullsOf(started))
      at(runsByPull, pull, () => []).push(run);
  }
  return { pulls, runsBySha, runsByPull };
}

type OfPull =
  | Mark
  | EventOf<
      | "pull-opened"
      | "pull-merged"
      | "pull-reverted"
      | "pull-attributed"
      | "pull-upgrades"
      | "pull-pushed"
    >;

/** Returns whether an event concerns one pull request itself. */
export function isOfPull(event: DeliveryEvent): event is OfPull {
  return /^(?:pull|queue)-/.test(event.kind);
}

function addToPull(event: OfPull, pulls: Map<number, PullFacts>): void {
  const { repository, pull } = event;
  const facts = at(pulls, pull, () => ({
    repository,
    pull,
    opened: undefined,
    merged: undefined,
    reverted: undefined,
    attributed: undefined,
    upgrades: undefined,
    pushes: [],
    marks: [],
  }));
  switch (event.kind) {
    case "pull-opened":
      facts.opened = event;
      break;
    case "pull-merged":
      facts.merged = event;
      break;
    case "pull-reverted":
      facts.reverted ??= event;
      break;
    case "pull-attributed":
      facts.attributed = event;
      break;
    case "pull-upgrades":
      facts.upgrades = event;
      break;
    case "pull-pushed":
      facts.pushes.push(event);
      break;
    case "pull-ready":
    case "pull-draft":
    case "pull-reviewed":
    case "pull-review-dismissed":
    case "pull-closed":
    case "pull-reopened":
    case "queue-entered":
    case "queue-left":
      facts.marks.push(event);
  }
}

/** GitHub names a merge queue's branch after its last pull request. */
const QUEUE_BRANCH = /^gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/;

/** Returns the pull requests that a run was for: those that it names, and that of its merge queue's branch. */
export function pullsOf({ pulls, branch }: RunStarted): readonly number[] {
  const queued = QUEUE_BRANCH.exec(branch ?? "")?.[1];
  return queued === undefined ? pulls : [...pulls, Number(queued)];
}

function at<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
