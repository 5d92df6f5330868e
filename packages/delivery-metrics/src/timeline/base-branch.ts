import type { EventOf, Instant } from "../events/event.js";
import type { RunFacts } from "../facts/facts.js";
import { Column } from "../log/column.js";
import type { RepositoryLog } from "../log/repository-log.js";
import type { Span } from "../spans/spans.js";
import type { Skew } from "./skew.js";

/** The position of a commit on a base branch. */
export interface Tip {
  readonly base: string;
  /** The time at which the commit reached the branch. */
  readonly at: Instant;
}

/** The commits on a repository's base branches. Their data are in columns, because there may be hundreds of thousands. */
export class Tips {
  readonly #log: RepositoryLog;
  /** By the number of a commit's text: the place of its tip in the columns, counted from 1. */
  readonly #places: Uint32Array;
  readonly #ats = new Column();
  /** The numbers of the branches' texts. */
  readonly #bases = new Column();

  constructor(log: RepositoryLog) {
    this.#log = log;
    this.#places = new Uint32Array(log.texts.size);
    // Of two merges with one commit, the later one counts.
    for (const { sha, ...tip } of log.of("pull-merged")) this.set(sha, tip);
  }

  /** The base branches of all commits. */
  get bases(): ReadonlySet<string> {
    const ids = new Set<number>();
    for (let place = 0; place < this.#bases.length; place++)
      ids.add(this.#bases.at(place));
    return new Set([...ids].map((id) => this.#log.texts.textOf(id)));
  }

  /** Returns the position of a commit; undefined if it is unknown. */
  of(sha: string): Tip | undefined {
    const place = (this.#places[this.#log.texts.idOf(sha)] ?? 0) - 1;
    if (place < 0) return undefined;
    const base = this.#log.texts.textOf(this.#bases.at(place));
    return { base, at: this.#ats.at(place) };
  }

  /** Sets the position of a commit whose text the log has. */
  set(sha: string, { base, at }: Tip): void {
    const { texts } = this.#log;
    const id = texts.idOf(sha);
    const place = (this.#places[id] ?? 0) - 1;
    if (place >= 0) {
      this.#ats.set(place, at);
      this.#bases.set(place, texts.idOf(base));
    } else {
      this.#ats.push(at);
      this.#bases.push(texts.idOf(base));
      this.#places[id] = this.#ats.length;
    }
  }
}

/** A repository's base branches, with the order of their commits. */
export interface BaseBranches {
  /**
   * Returns the times of the builds of the base branch that first tested a merge. These are the builds of its own
   * commit. If several merges were pushed at once (a merge queue), or a build was cancelled for a newer one, they are
   * those of the next commit that contains it.
   */
  postMergeBuilds(merged: EventOf<"pull-merged">, skew: Skew): readonly Span[];
}

/**
 * Orders the builds of a repository's base branches.
 * @param tips gets the commits of pushes without a known merge
 */
export function openBaseBranches(log: RepositoryLog, tips: Tips): BaseBranches {
  const { bases } = tips;
  const byBase = new Map<string, BaseBuilds>();
  for (const run of log.runs(({ event }) => event === "push")) {
    const { branch, sha, at } = run.started;
    if (branch === null || !bases.has(branch)) continue;
    const known = tips.of(sha);
    if (!known) tips.set(sha, { base: branch, at });
    const builds = byBase.get(branch) ?? new BaseBuilds();
    byBase.set(branch, builds);
    builds.add(run, known?.at ?? at, log.texts.idOf(sha));
  }
  for (const builds of byBase.values()) builds.close();
  return {
    postMergeBuilds: ({ base, at }, skew) =>
      byBase.get(base)?.firstFrom(at, skew) ?? [],
  };
}

/** The builds of a base branch: columns with a row for each run. */
class BaseBuilds {
  /** The times at which the runs' commits reached the branch. */
  readonly #reached = new Column();
  readonly #commits = new Column();
  readonly #starts = new Column();
  readonly #ends = new Column();
  readonly #cancelled = new Set<number>();
  /** The rows in the order in which their commits reached the branch. */
  #order = new Uint32Array(0);

  /** Adds the next run, in order of start. */
  add({ started, completed }: RunFacts, reached: Instant, commit: number) {
    if (completed?.conclusion === "cancelled")
      this.#cancelled.add(this.#reached.length);
    this.#reached.push(reached);
    this.#commits.push(commit);
    this.#starts.push(started.at);
    this.#ends.push(completed?.at ?? Infinity);
  }

  close(): void {
    const reached = this.#reached;
    this.#order = new Uint32Array(reached.length)
      .map((_, row) => row)
      .sort((a, b) => reached.at(a) - reached.at(b) || a - b);
  }

  /** Returns the runs of the first commit from a time on, and of later ones as long as a run of the last one was cancelled. */
  firstFrom(at: Instant, skew: Skew): readonly Span[] {
    const spans: Span[] = [];
    let index = firstFrom(this.#order.length, (each) => this.#at(each), at);
    while (index < this.#order.length) {
      // Several commits may reach the branch at the same time. All runs of a commit are in this range then.
      const builds = new Map<number, number[]>();
      for (const time = this.#at(index); this.#at(index) === time; index++) {
        const row = this.#order[index] ?? 0;
        const commit = this.#commits.at(row);
        builds.set(commit, [...(builds.get(commit) ?? []), row]);
      }
      for (const rows of builds.values()) {
        for (const row of rows)
          spans.push(skew.span(this.#starts.at(row), this.#ends.at(row)));
        if (!rows.some((row) => this.#cancelled.has(row))) return spans;
      }
    }
    return spans;
  }

  #at(index: number): Instant | undefined {
    const row = this.#order[index];
    return row === undefined ? undefined : this.#reached.at(row);
  }
}

/** Returns the first index of a sorted list whose time is not before this one. */
export function firstFrom(
  length: number,
  timeOf: (index: number) => Instant | undefined,
  at: Instant,
): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeOf(middle) ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
