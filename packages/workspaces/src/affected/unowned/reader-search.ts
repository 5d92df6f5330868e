import { remember } from "@skein/reporting/group-by";
import type { Reason, Referrer } from "../reason.js";
import type { Link, Reading, UseReason } from "./reader-links.js";
import {
  includes,
  NO_MARKS,
  openSummaries,
  union,
  type Marks,
} from "./reach-summary.js";

/** Returns the packages that can read a file, each with one reason. */
export type FindReaders = (path: string) => Map<string, Reason>;

/** The same, with the links with which the search begins. Default: all links of the file */
export type SearchReaders = (
  path: string,
  first?: readonly Link[],
) => Map<string, Reason>;

/** The answers that the searches of one decision share. */
interface Ways {
  /** Returns the links from a file that the searched one leads to. */
  readonly linksOf: (file: string) => readonly Link[];
  /** Returns the packages that can be found from there. */
  readonly summaryOf: (file: string) => Marks;
  readonly bitOf: (name: string) => bigint;
}

/**
 * Opens the search for the packages that can read a file, also through other files of the root. A reason that concerns
 * dependents takes precedence. The search is breadth first, so the nearest reader is the explanation, and chains with an open
 * end come last. A reason is a guess only if all reasons of the package are.
 *
 * Thousands of changed files can lead through the same thousands of others, so a search doesn't enter a file that can't add
 * anything to its result.
 * @param linksOf the links from a file; `isFirst` if its readers are searched, and not those of a file that it leads to
 */
export function openSearch(
  linksOf: (file: string, isFirst: boolean) => readonly Link[],
): SearchReaders {
  let packages = 0n;
  const bitOf = remember((_name: string) => 1n << packages++);
  const linksOfOther = remember((file: string) => linksOf(file, false));
  const summaryOf = openSummaries((file) => {
    const links = linksOfOther(file);
    const own = links.reduce(
      (marks, link) =>
        "name" in link
          ? union(marks, marksOf(link, bitOf(link.name), false))
          : marks,
      NO_MARKS,
    );
    return { own, next: links.filter((link) => "file" in link) };
  });
  const ways = { linksOf: linksOfOther, summaryOf, bitOf };
  return (path, first = linksOf(path, true)) =>
    new Search(path, ways).run(first);
}

/** The references from a file to the searched one, in a list that longer ones share. */
interface Chain {
  readonly referrer: Referrer;
  readonly rest: Chain | undefined;
}

/** A file on the way; it is unsure if an open end leads to it. */
interface Step {
  /** Undefined for the searched file, whose links differ. */
  readonly file?: string;
  readonly chain: Chain | undefined;
  readonly isUnsure: boolean;
}

/** The search for the readers of one file. */
class Search {
  readonly #path: string;
  readonly #ways: Ways;
  readonly #reasons = new Map<string, UseReason>();
  #marks = NO_MARKS;
  /** The files of the root that surely lead to the path, and those that only open ends connect. */
  readonly #sure = new Map<string, Chain | undefined>();
  readonly #unsure = new Map<string, Chain | undefined>();

  constructor(path: string, ways: Ways) {
    this.#path = path;
    this.#ways = ways;
  }

  run(first: readonly Link[]): Map<string, Reason> {
    const { linksOf, bitOf } = this.#ways;
    this.#sure.set(this.#path, undefined);
    this.#follow(first, { chain: undefined, isUnsure: false });
    for (const files of [this.#sure, this.#unsure])
      for (const [file, chain] of files) {
        const isUnsure = files === this.#unsure;
        if (file === this.#path || (isUnsure && this.#sure.has(file))) continue;
        if (this.#needs(file, isUnsure))
          this.#follow(linksOf(file), { file, chain, isUnsure });
      }
    return new Map(
      Array.from(this.#reasons, ([name, reason]): [string, Reason] => [
        name,
        (this.#marks.sure & bitOf(name)) === 0n
          ? { ...reason, isGuess: true }
          : reason,
      ]),
    );
  }

  #follow(links: readonly Link[], { file, ...step }: Step): void {
    for (const link of links)
      if ("name" in link) {
        this.#add(link, step);
        if (file !== undefined && !this.#needs(file, step.isUnsure)) return;
      } else {
        const isUnsure = step.isUnsure || link.isGuess;
        const files = isUnsure ? this.#unsure : this.#sure;
        if (!files.has(link.file) && this.#needs(link.file, isUnsure))
          files.set(link.file, { referrer: link.referrer, rest: step.chain });
      }
  }

  /** Returns whether something behind a file isn't in the result yet. */
  #needs(file: string, isUnsure: boolean): boolean {
    const behind = this.#ways.summaryOf(file);
    return !includes(this.#marks, isUnsure ? { ...behind, sure: 0n } : behind);
  }

  /** Adds a reason. The first one of a package counts, and the first that concerns dependents. */
  #add(reading: Reading, { chain, isUnsure }: Step): void {
    const { name, spreads, through } = reading;
    const bit = this.#ways.bitOf(name);
    const { found, spreading } = this.#marks;
    const isNew = (found & bit) === 0n;
    if (isNew || (spreads && (spreading & bit) === 0n)) {
      const via = [...(through ? [through] : []), ...referrersOf(chain)];
      const reason = reading.reasonOf(this.#path);
      this.#reasons.set(name, { ...reason, ...(via.length > 0 && { via }) });
    }
    this.#marks = union(this.#marks, marksOf(reading, bit, isUnsure));
  }
}

function marksOf(
  { spreads, isGuess }: Reading,
  bit: bigint,
  isUnsure: boolean,
): Marks {
  return {
    found: bit,
    spreading: spreads ? bit : 0n,
    sure: isGuess || isUnsure ? 0n : bit,
  };
}

function referrersOf(chain: Chain | undefined): readonly Referrer[] {
  const referrers: Referrer[] = [];
  for (let link = chain; link; link = link.rest) referrers.push(link.referrer);
  return referrers;
}
