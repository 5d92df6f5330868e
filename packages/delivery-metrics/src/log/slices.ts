import type { DeliveryEvent, RunStarted } from "../events/event.js";
import { inOrder } from "../events/merge-events.js";
import { isOfPull, pullsOf } from "../facts/facts.js";
import type { RepositoryLog } from "./repository-log.js";

/**
 * The number of events that are held as objects at a time, roughly. With the facts made of them, they take about 2 MB, so
 * most of them are collected while they are young.
 */
export const SLICE = 2000;

/**
 * Divides the pull requests of a repository by their head branches, so that pull requests that compete for the runs and
 * pushes of a branch are together. Each slice has all events that the timelines of its pull requests may depend on, in
 * order of time and then of id. A run belongs to each slice with a pull request of its commit, number or branch; any other
 * event belongs to one slice. Events that don't concern pull requests are in no slice, unless there is only one.
 * @param log is sealed, so that it takes less memory
 * @param most the number of events of a slice, roughly
 */
export function* slicesOf(
  log: RepositoryLog,
  most: number,
): Generator<readonly DeliveryEvent[]> {
  const count = Math.min(65_535, Math.ceil(log.size / most));
  if (count <= 1) {
    yield [...log.events()];
    return;
  }
  const places = new Slicing(log, count).places();
  log.seal();
  for (let own = 0; own < count; own++)
    yield inOrder(places.of(own).map((place) => log.at(place)));
}

/** The end of a list, before its first place. */
const END = 1;

/** Lists of places. Nearly all places are in one list, and take four bytes there: each links to the previous one of its list. */
class PlaceLists {
  /** The last linked place of each list, counted from 2. */
  readonly #last: Uint32Array;
  /** The link of each place, counted from 2; 0 for a place without a list. */
  readonly #links: Uint32Array;
  /** The places of a list that other lists link. */
  readonly #others = new Map<number, number[]>();

  constructor(lists: number, places: number) {
    this.#last = new Uint32Array(lists).fill(END);
    this.#links = new Uint32Array(places);
  }

  add(list: number, place: number): void {
    if (this.#links[place] === 0) {
      this.#links[place] = this.#last[list] ?? END;
      this.#last[list] = place + 2;
      return;
    }
    const others = this.#others.get(list) ?? [];
    this.#others.set(list, others);
    others.push(place);
  }

  /** Returns the places of a list in no particular order. */
  of(list: number): readonly number[] {
    const places = [...(this.#others.get(list) ?? [])];
    let next = this.#last[list] ?? END;
    while (next !== END) {
      places.push(next - 2);
      next = this.#links[next - 2] ?? END;
    }
    return places;
  }
}

/** Finds the slices of each event. */
class Slicing {
  readonly #log: RepositoryLog;
  readonly #count: number;
  /** The slices of pull requests whose head branch is known. */
  readonly #pulls = new Map<number, number>();
  /** By the number of a commit's text: the first slice with a pull request of this commit, counted from 1. */
  readonly #commits: Uint16Array;
  /** The other slices of commits that belong to several. */
  readonly #shared = new Map<number, Set<number>>();

  constructor(log: RepositoryLog, count: number) {
    this.#log = log;
    this.#count = count;
    this.#commits = new Uint16Array(log.texts.size);
    for (const { pull, branch } of log.of("pull-opened"))
      this.#pulls.set(pull, this.#ofBranch(branch));
    for (const { sha, branch } of log.of("branch-pushed"))
      this.#addCommit(sha, this.#ofBranch(branch));
    for (const { sha, pull } of log.of("pull-pushed"))
      this.#addCommit(sha, this.#ofPull(pull));
    for (const { head, pull } of log.of("pull-merged"))
      this.#addCommit(head, this.#ofPull(pull));
    // `linkEvents` counts the commits of such runs as pushed.
    for (const { sha, branch, event } of log.of("run-started"))
      if (event === "pull_request" && branch !== null)
        this.#addCommit(sha, this.#ofBranch(branch));
  }

  #ofPull(pull: number): number {
    return this.#pulls.get(pull) ?? pull % this.#count;
  }

  /** Returns the places of the events of each slice. */
  places(): PlaceLists {
    const lists = new PlaceLists(this.#count, this.#log.size);
    for (const place of this.#log.places()) {
      const kind = this.#log.kindAt(place);
      if (kind === "run-completed") continue; // Runs are added with their start.
      const event = this.#log.at(place);
      if (event.kind === "branch-pushed")
        lists.add(this.#ofBranch(event.branch), place);
      else if (isOfPull(event)) lists.add(this.#ofPull(event.pull), place);
      else if (event.kind === "run-started") {
        const end = this.#log.placeOfEnd(place);
        for (const slice of this.#ofRun(event)) {
          lists.add(slice, place);
          if (end !== undefined) lists.add(slice, end);
        }
      }
    }
    return lists;
  }

  #ofBranch(branch: string): number {
    return this.#log.texts.idOf(branch) % this.#count;
  }

  #ofRun(run: RunStarted): ReadonlySet<number> {
    const slices = new Set(pullsOf(run).map((pull) => this.#ofPull(pull)));
    if (run.branch !== null && isLinkedByBranch(run))
      slices.add(this.#ofBranch(run.branch));
    const commit = this.#log.texts.idOf(run.sha);
    const first = this.#commits[commit] ?? 0;
    if (first > 0) slices.add(first - 1);
    for (const slice of this.#shared.get(commit) ?? []) slices.add(slice);
    return slices;
  }

  #addCommit(sha: string, slice: number): void {
    const commit = this.#log.texts.idOf(sha);
    const first = this.#commits[commit] ?? 0;
    if (first === 0) this.#commits[commit] = slice + 1;
    else if (first !== slice + 1)
      this.#shared.set(
        commit,
        (this.#shared.get(commit) ?? new Set()).add(slice),
      );
  }
}

/** Returns whether `linkEvents` finds the pull request of a run by its branch. */
function isLinkedByBranch({ pulls, event }: RunStarted): boolean {
  return pulls.length === 0 && /^pull_request(?:_target)?$/.test(event);
}
