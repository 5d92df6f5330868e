import { NumberStore, type StoredNumbers } from "../log/number-store.js";
import { lengthOf } from "../spans/spans.js";
import type { PullFacts } from "../facts/facts.js";
import type { Timeline } from "../timeline/timeline.js";
import type { PullRef } from "./report.js";
import { isHuman, STAGES, type Stage } from "./stages.js";

/** The places of a pull request's numbers. The stages follow, then builds and spans, each list after its length. */
const [PULL, BEGAN, MERGED, ENDED, SKEWED, REVERTED, GROSS, HEADLINE] = [
  0, 1, 2, 3, 4, 5, 6, 7,
];
const FIRST_STAGE = 8;
const BUILDS = FIRST_STAGE + STAGES.length;

/** The data that pull requests share, so that each has only a reference to it. */
export interface Shared {
  readonly numbers: NumberStore;
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
  readonly #numbers: StoredNumbers;

  constructor(timeline: Timeline, { numbers, packages, owners }: Shared) {
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
    this.#numbers = numbers.append(numbersOf(timeline));
  }

  get ref(): PullRef {
    return { repository: this.#repository, pull: this.#at(PULL) };
  }

  get began(): number {
    return this.#at(BEGAN);
  }

  get merged(): number {
    return this.#at(MERGED);
  }

  get ended(): number {
    return this.#at(ENDED);
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

  #at(place: number): number {
    const { chunk, offset } = this.#numbers;
    return chunk[offset + place] ?? 0;
  }

  #listAt(place: number): readonly number[] {
    return Array.from({ length: this.#at(place) }, (_, index) =>
      this.#at(place + 1 + index),
    );
  }
}

/** Returns the numbers of a pull request, in the order of their places. */
function numbersOf(timeline: Timeline): readonly number[] {
  const { facts, began, merged, ended, skewedSpans, builds } = timeline;
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
    ...[facts.pull, began, merged, ended, skewedSpans],
    ...[facts.reverted?.by ?? -1, gross, headline, ...stages],
    ...[builds.length, ...builds, afterMerge.length, ...afterMerge],
  ];
}
