import type { AnnotationKind, EventOf, Instant } from "../events/event.js";
import { inOrder } from "../events/merge-events.js";
import type { RunFacts } from "../facts/facts.js";
import type { RepositoryLog } from "../log/repository-log.js";
import { ReliabilityTally } from "./reliability.js";
import { ReuseTally } from "./reuse.js";
import { SavingsTally } from "./savings.js";
import { within, type Bounds } from "./windows.js";

/** A note from the store, with its time in ISO 8601. */
export interface Annotation {
  readonly at: string;
  readonly repository: string;
  readonly what: AnnotationKind;
  readonly text: string;
}

/** The number of newest set-ups that count. */
const SETUPS = 50;

/** Adds up the figures of runs, plans and verdicts in a window's report, repository by repository. */
export class Figures {
  readonly savings = new SavingsTally();
  readonly reuse = new ReuseTally();
  readonly reliability: ReliabilityTally;
  /** Repositories with merges and without publications. */
  readonly unpublished: string[] = [];
  readonly #window: Bounds;
  readonly #annotations: EventOf<"annotated">[] = [];

  constructor(window: Bounds) {
    this.#window = window;
    this.reliability = new ReliabilityTally(window);
  }

  /**
   * Adds the events of a repository.
   * @returns the set-up time of a leg in milliseconds: the median of the newest verdicts that measured it, also of those
   *   before the window; undefined if none did
   */
  add(log: RepositoryLog): number | undefined {
    const isRecent = ({ at }: { readonly at: Instant }) =>
      within(this.#window, at);
    for (const plan of log.of("jobs-selected"))
      if (isRecent(plan)) this.savings.add(plan);
    for (const run of log.of("units-reused"))
      if (isRecent(run)) this.reuse.add(run);
    const setups: number[] = [];
    for (const verdict of log.of("run-judged")) {
      if (isRecent(verdict)) this.reliability.addVerdict(verdict);
      if (verdict.setupMs !== null) setups.push(verdict.setupMs);
    }
    for (const run of runsOf(log)) this.reliability.addRun(run);
    for (const each of log.of("annotated"))
      if (isRecent(each)) this.#annotations.push(each);
    const [published] = log.of("published");
    const [merged] = log.of("pull-merged");
    if (!published && merged) this.unpublished.push(log.name);
    return medianOf(setups.slice(-SETUPS));
  }

  annotations(): readonly Annotation[] {
    return inOrder(this.#annotations).flatMap((event) => {
      if (event.kind !== "annotated") return [];
      const { at, repository, what, text } = event;
      return [{ at: new Date(at).toISOString(), repository, what, text }];
    });
  }
}

/** Returns all attempts of each run, in their order. Only the attempts of one run are held as objects. */
function* runsOf(log: RepositoryLog): Generator<readonly RunFacts[]> {
  const repeated = new Map<number, number[]>();
  for (const { run, attempt } of log.of("run-started"))
    if (attempt !== 1) repeated.set(run, []);
  for (const place of log.places()) {
    if (log.kindAt(place) !== "run-started") continue;
    const run = log.runAt(place);
    const places = repeated.get(run.started.run);
    if (places) places.push(place);
    else yield [run];
  }
  for (const places of repeated.values())
    yield places
      .map((place) => log.runAt(place))
      .sort((a, b) => a.started.attempt - b.started.attempt);
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}
