import { Packer, timeOf, Unpacker } from "../log/packing.js";
import { Records } from "../log/records.js";
import { Texts } from "../log/texts.js";
import type { Instant } from "../events/event.js";
import { lengthOf } from "../spans/spans.js";
import type { PullFacts } from "../facts/facts.js";
import type { Timeline } from "../timeline/timeline.js";
import type { PullRef } from "./report.js";
import { isHuman, STAGES, type Stage } from "./stages.js";

/** The places of a pull request's numbers. The stages follow, then builds and spans, each list after its length. */
const [PULL, HEADLINE, GROSS, SKEWED, REVERTED] = [0, 1, 2, 3, 4];
const FIRST_STAGE = 5;
const BUILDS = FIRST_STAGE + STAGES.length;

/** The times and numbers of pull requests, packed as in a log. */
export class MeasuredStore {
  readonly #texts = new Texts();
  readonly #packer = new Packer(this.#texts);
  readonly #records = new Records();

  /** Adds a pull request, and returns its number. */
  add(timeline: Timeline): number {
    this.#packer.begin(0, timeline.began);
    this.#packer.instant(timeline.merged);
    this.#packer.instant(timeline.ended);
    for (const each of numbersOf(timeline)) this.#packer.number(each);
    return this.#records.add(this.#records.size, this.#packer.record);
  }

  beganAt(number: number): Instant {
    return timeOf(this.#records.at(number));
  }

  /** Returns the record of a pull request for reading the time of its merge, that of its end, and its numbers. */
  open(number: number): Unpacker {
    return new Unpacker(this.#texts, this.#records.at(number));
  }
}

/** The data that pull requests share, so that each has only a reference to it. */
export interface Shared {
  readonly store: MeasuredStore;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
}

/**
 * A merged pull request as reports need it, without its events: durations are in milliseconds. There may be hundreds of
 * thousands, so its numbers are in a store outside of the heap.
 */
export class Measured {
  readonly #repository: string;
  readonly title: string | null;
  readonly author: string;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
  readonly beginsWith: Timeline["beginsWith"];
  readonly unfinished: Timeline["unfinished"];
  readonly publication: Timeline["publication"];
  readonly hasBuilds: boolean;
  readonly #store: MeasuredStore;
  readonly #number: number;

  constructor(timeline: Timeline, { store, packages, owners }: Shared) {
    const { opened, repository }: PullFacts = timeline.facts;
    this.#repository = repository;
    this.title = opened?.title ?? null;
    this.author = opened?.author ?? "";
    this.packages = packages;
    this.owners = owners;
    this.beginsWith = timeline.beginsWith;
    this.unfinished = timeline.unfinished;
    this.publication = timeline.publication;
    this.hasBuilds = timeline.hasBuilds;
    this.#store = store;
    this.#number = store.add(timeline);
  }

  get ref(): PullRef {
    return { repository: this.#repository, pull: this.#at(PULL) };
  }

  get began(): number {
    return this.#store.beganAt(this.#number);
  }

  get merged(): number {
    return this.#open().instant() ?? 0;
  }

  get ended(): number {
    const from = this.#open();
    from.instant();
    return from.instant() ?? 0;
  }

  get skewedSpans(): number {
    return this.#at(SKEWED);
  }

  /** The pull request that reverts it; undefined if none does. */
  get revertedBy(): number | undefined {
    const pull = this.#at(REVERTED);
    return pull < 0 ? undefined : pull;
  }

  get gross(): number {
    return this.#at(GROSS);
  }

  /** Null if no run of it is known. */
  get headline(): number | null {
    return this.hasBuilds ? this.#at(HEADLINE) : null;
  }

  get machine(): number | null {
    return this.hasBuilds
      ? this.#at(HEADLINE) - this.msIn("publish-wait") - this.msIn("upgrade")
      : null;
  }

  msIn(stage: Stage): number {
    return this.#at(FIRST_STAGE + STAGES.indexOf(stage));
  }

  get stages(): Readonly<Record<Stage, number>> {
    return Object.fromEntries(
      STAGES.map((stage) => [stage, this.msIn(stage)]),
    ) as Record<Stage, number>;
  }

  /** The durations of its commits' builds. */
  get builds(): readonly number[] {
    return this.#listAt(BUILDS);
  }

  /** The spans of stages without people after the merge: a start, an end, the next start, … */
  get afterMerge(): readonly number[] {
    return this.#listAt(BUILDS + 1 + this.#at(BUILDS));
  }

  #open(): Unpacker {
    return this.#store.open(this.#number);
  }

  #at(place: number): number {
    return this.#from(place).number();
  }

  /** Reads up to a place. */
  #from(place: number): Unpacker {
    const from = this.#open();
    from.instant();
    from.instant();
    for (let index = 0; index < place; index++) from.number();
    return from;
  }

  #listAt(place: number): readonly number[] {
    const from = this.#from(place);
    return Array.from({ length: from.number() }, () => from.number());
  }
}

/** Returns the numbers of a pull request, in the order of their places. */
function numbersOf(timeline: Timeline): readonly number[] {
  const { facts, merged, skewedSpans, builds } = timeline;
  const stages = STAGES.map((stage) => lengthOf(timeline.stages[stage]));
  const gross = stages.reduce((sum, ms) => sum + ms, 0);
  const headline = STAGES.reduce(
    (rest, stage, index) =>
      isHuman(stage) ? rest - (stages[index] ?? 0) : rest,
    gross,
  );
  const afterMerge = STAGES.filter((stage) => !isHuman(stage)).flatMap(
    (stage) =>
      timeline.stages[stage]
        .filter(({ to }) => to > merged)
        .flatMap(({ from, to }) => [Math.max(from, merged), to]),
  );
  return [
    ...[facts.pull, headline, gross, skewedSpans, facts.reverted?.by ?? -1],
    ...stages,
    ...[builds.length, ...builds, afterMerge.length, ...afterMerge],
  ];
}
