import { codeOf, Packer, timeOf, Unpacker } from "../log/packing.js";
import { Records } from "../log/records.js";
import { Texts } from "../log/texts.js";
import type { Instant } from "../events/event.js";
import { lengthOf } from "../spans/spans.js";
import type { Timeline } from "../timeline/timeline.js";
import { UNFINISHED_REASONS } from "./coverage.js";
import type { PullRef } from "./report.js";
import { isHuman, STAGES, type Stage } from "./stages.js";

/** The places of a pull request's numbers. The stages follow, then builds and spans, each list after its length. */
const [PULL, HEADLINE, GROSS, SKEWED, REVERTED, AUTHOR, TITLE] = [
  0, 1, 2, 3, 4, 5, 6,
];
const FIRST_STAGE = 7;
const BUILDS = FIRST_STAGE + STAGES.length;

/** The parts of a record's code. The number of the reason why it has not ended follows, counted from 1. */
const [BEGINS_WITH_PUSH, HAS_BUILDS, UNFINISHED] = [1, 2, 4];

/** The times, numbers and texts of pull requests, packed as in a log. */
export class MeasuredStore {
  readonly #texts = new Texts();
  readonly #packer = new Packer(this.#texts);
  readonly #records = new Records();

  /** Adds a pull request, and returns its number. */
  add(timeline: Timeline): number {
    this.#packer.begin(flagsOf(timeline), timeline.began);
    this.#packer.instant(timeline.merged);
    this.#packer.instant(timeline.ended);
    for (const each of numbersOf(timeline, this.#texts))
      this.#packer.number(each);
    return this.#records.add(this.#records.size, this.#packer.record);
  }

  beganAt(number: number): Instant {
    return timeOf(this.#records.at(number));
  }

  /** Returns the code of a pull request's record. */
  flagsAt(number: number): number {
    return codeOf(this.#records.at(number));
  }

  textOf(id: number): string {
    return this.#texts.textOf(id);
  }

  /** Returns the record of a pull request for reading the time of its merge, that of its end, and its numbers. */
  open(number: number): Unpacker {
    return new Unpacker(this.#texts, this.#records.at(number));
  }
}

/** The data that pull requests share, so that each has only a reference to it. */
export interface Shared {
  readonly store: MeasuredStore;
  readonly repository: string;
  readonly packages: readonly string[];
  readonly owners: readonly string[];
}

/**
 * A merged pull request as reports need it, without its events: durations are in milliseconds. There may be hundreds of
 * thousands, so its numbers and texts are in a store outside of the heap.
 */
export class Measured {
  readonly publication: Timeline["publication"];
  readonly #shared: Shared;
  readonly #number: number;

  constructor(timeline: Timeline, shared: Shared) {
    this.publication = timeline.publication;
    this.#shared = shared;
    this.#number = shared.store.add(timeline);
  }

  get ref(): PullRef {
    return { repository: this.#shared.repository, pull: this.#at(PULL) };
  }

  get packages(): readonly string[] {
    return this.#shared.packages;
  }

  get owners(): readonly string[] {
    return this.#shared.owners;
  }

  get title(): string | null {
    const id = this.#at(TITLE) - 1;
    return id < 0 ? null : this.#shared.store.textOf(id);
  }

  get author(): string {
    return this.#shared.store.textOf(this.#at(AUTHOR));
  }

  get beginsWith(): Timeline["beginsWith"] {
    return this.#flags & BEGINS_WITH_PUSH ? "push" : "opened";
  }

  get hasBuilds(): boolean {
    return (this.#flags & HAS_BUILDS) > 0;
  }

  get unfinished(): Timeline["unfinished"] {
    return UNFINISHED_REASONS[Math.floor(this.#flags / UNFINISHED) - 1];
  }

  get began(): number {
    return this.#shared.store.beganAt(this.#number);
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
    const pull = this.#at(REVERTED) - 1;
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

  get #flags(): number {
    return this.#shared.store.flagsAt(this.#number);
  }

  #open(): Unpacker {
    return this.#shared.store.open(this.#number);
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

/** Returns 0 for undefined. A negative number would take nine bytes. */
function countedFrom1(value: number | undefined): number {
  return value === undefined ? 0 : value + 1;
}

function flagsOf({ beginsWith, hasBuilds, unfinished }: Timeline): number {
  const reason =
    unfinished === undefined ? 0 : UNFINISHED_REASONS.indexOf(unfinished) + 1;
  return (
    (beginsWith === "push" ? BEGINS_WITH_PUSH : 0) +
    (hasBuilds ? HAS_BUILDS : 0) +
    reason * UNFINISHED
  );
}

/** Returns the numbers of a pull request, in the order of their places. Texts are added to a pool. */
function numbersOf(timeline: Timeline, texts: Texts): readonly number[] {
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
  const { title = null, author = "" } = facts.opened ?? {};
  const titleId = title === null ? undefined : texts.idOf(title);
  return [
    ...[
      facts.pull,
      headline,
      gross,
      skewedSpans,
      countedFrom1(facts.reverted?.by),
    ],
    ...[texts.idOf(author), countedFrom1(titleId)],
    ...stages,
    ...[builds.length, ...builds, afterMerge.length, ...afterMerge],
  ];
}
