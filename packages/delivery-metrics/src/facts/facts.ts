import { attemptKey } from "../events/event-id.js";
import type {
  Annotated,
  DeliveryEvent,
  EventOf,
  JobsSelected,
  PullAttributed,
  PullMerged,
  PullOpened,
  PullPushed,
  PullReverted,
  PullUpgrades,
  Published,
  RunCompleted,
  RunJudged,
  UnitsReused,
  RunStarted,
} from "../events/event.js";

/** All known events of one pull request, with its marks in order of time. */
export interface PullFacts {
  readonly repository: string;
  readonly pull: number;
  opened: PullOpened | undefined;
  merged: PullMerged | undefined;
  reverted: PullReverted | undefined;
  attributed: PullAttributed | undefined;
  upgrades: PullUpgrades | undefined;
  readonly pushes: PullPushed[];
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

/** The facts about one repository. */
export interface RepositoryFacts {
  readonly name: string;
  readonly pulls: ReadonlyMap<number, PullFacts>;
  /** In order of their start. */
  readonly runs: readonly RunFacts[];
  readonly runsBySha: ReadonlyMap<string, readonly RunFacts[]>;
  readonly runsByPull: ReadonlyMap<number, readonly RunFacts[]>;
  /** In order of time. */
  readonly publications: readonly Published[];
  /** The set-up time of a leg in milliseconds: the median of the newest runs that measured it. Undefined if none did. */
  readonly setupMs: number | undefined;
}

/** The maximum number of newest set-ups that count. */
const SETUPS = 50;

/**
 * The facts of all repositories, and, in order of time, the events that don't belong to one of their pull requests or
 * runs.
 */
export interface Facts extends Asides {
  readonly repositories: ReadonlyMap<string, RepositoryFacts>;
}

interface Asides {
  readonly plans: JobsSelected[];
  readonly verdicts: RunJudged[];
  readonly reuse: UnitsReused[];
  readonly annotations: Annotated[];
}

/**
 * Groups events by their subjects.
 * @param events one per id, in order of time (`mergeEvents`)
 */
export function gatherFacts(events: readonly DeliveryEvent[]): Facts {
  const asides: Asides = {
    plans: [],
    verdicts: [],
    reuse: [],
    annotations: [],
  };
  const repositories = new Map<string, Gathering>();
  for (const event of events) {
    let into = repositories.get(event.repository);
    if (!into) repositories.set(event.repository, (into = new Gathering()));
    into.take(event, asides);
  }
  return {
    ...asides,
    repositories: new Map(
      [...repositories]
        .map(([name, gathering]) => [name, gathering.facts(name)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

class Gathering {
  readonly #pulls = new Map<number, PullFacts>();
  readonly #starts: RunStarted[] = [];
  readonly #ends = new Map<string | number, RunCompleted>();
  readonly #publications: Published[] = [];
  readonly #setups: number[] = [];

  take(event: DeliveryEvent, asides: Asides): void {
    switch (event.kind) {
      case "pull-opened":
        this.#pull(event).opened = event;
        break;
      case "pull-merged":
        this.#pull(event).merged = event;
        break;
      case "pull-reverted":
        this.#pull(event).reverted ??= event;
        break;
      case "pull-attributed":
        this.#pull(event).attributed = event;
        break;
      case "pull-upgrades":
        this.#pull(event).upgrades = event;
        break;
      case "pull-pushed":
        this.#pull(event).pushes.push(event);
        break;
      case "run-started":
        this.#starts.push(event);
        break;
      case "run-completed":
        this.#ends.set(attemptKey(event), event);
        break;
      case "published":
        this.#publications.push(event);
        break;
      case "jobs-selected":
        asides.plans.push(event);
        break;
      case "run-judged":
        asides.verdicts.push(event);
        if (event.setupMs !== null) this.#setups.push(event.setupMs);
        break;
      case "units-reused":
        asides.reuse.push(event);
        break;
      case "annotated":
        asides.annotations.push(event);
        break;
      case "branch-pushed":
        break;
      case "pull-ready":
      case "pull-draft":
      case "pull-reviewed":
      case "pull-review-dismissed":
      case "pull-closed":
      case "pull-reopened":
      case "queue-entered":
      case "queue-left":
        this.#pull(event).marks.push(event);
    }
  }

  facts(name: string): RepositoryFacts {
    const runs = this.#starts.map((started) => ({
      started,
      completed: this.#ends.get(attemptKey(started)),
    }));
    const runsBySha = new Map<string, RunFacts[]>();
    const runsByPull = new Map<number, RunFacts[]>();
    for (const run of runs) {
      at(runsBySha, run.started.sha, () => []).push(run);
      for (const pull of pullsOf(run)) at(runsByPull, pull, () => []).push(run);
    }
    return {
      name,
      pulls: this.#pulls,
      runs,
      runsBySha,
      runsByPull,
      publications: this.#publications,
      setupMs: medianOf(this.#setups.slice(-SETUPS)),
    };
  }

  #pull({
    repository,
    pull,
  }: {
    readonly repository: string;
    readonly pull: number;
  }): PullFacts {
    return at(this.#pulls, pull, () => ({
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
  }
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** GitHub names a merge queue's branch after its last pull request. */
const QUEUE_BRANCH = /^gh-readonly-queue\/.+\/pr-(\d+)-[0-9a-f]+$/;

function pullsOf({ started }: RunFacts): readonly number[] {
  const queued = QUEUE_BRANCH.exec(started.branch ?? "")?.[1];
  return queued === undefined
    ? started.pulls
    : [...started.pulls, Number(queued)];
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
