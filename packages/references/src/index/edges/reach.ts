import type { SourceEdge } from "../../graph.js";
import type { Layout } from "../layout.js";

/** The files of another package that a reference leads to, and the packages that these use. */
export interface KnownReach {
  /** The numbers of the packages that these files use. */
  readonly used: ReadonlySet<number>;
  /**
   * The files of the package that are read, except those that take effect unread; a folder, with everything below it, ends
   * with `/`, and files of which only the end is known begin with `*`. Undefined if others may be read, too.
   */
  readonly files: ReadonlySet<string> | undefined;
  /**
   * The files are pages or settings, which no script of the package builds from others, and no other file of the package takes
   * effect: `used` and `files` are complete.
   */
  readonly isText?: true;
}
/** Undefined if it isn't known. */
export type Reach = KnownReach | undefined;

/** An edge with more files than this counts for the whole package: a list of them would take more time than it saves. */
const LARGE = 500;

/** The sum of what several references to one package lead to. */
export class ReachSum {
  readonly #used = new Set<number>();
  #files: Set<string> | undefined = new Set();
  readonly #added = new Set<KnownReach>();
  #isText = true;

  add(reach: KnownReach): void {
    if (this.#added.has(reach)) return;
    this.#added.add(reach);
    if (!reach.isText) this.#isText = false;
    for (const each of reach.used) this.#used.add(each);
    if (!reach.files) this.#files = undefined;
    for (const each of reach.files ?? []) this.#files?.add(each);
  }

  /**
   * Returns it as facts of an edge.
   * @param manifestUses the numbers of the packages that the package's manifest uses
   */
  of(
    layout: Layout,
    manifestUses: Iterable<number>,
  ): Pick<SourceEdge, "onward" | "files" | "readsOnly"> {
    const files = this.#files;
    const used = this.#isText
      ? this.#used
      : new Set([...this.#used, ...manifestUses]);
    return {
      onward: namesOf(used, layout),
      ...(files &&
        files.size <= LARGE && {
          files: [...files].sort(),
          ...(this.#isText && { readsOnly: true }),
        }),
    };
  }
}

/** Joins what several references to one package lead to; undefined if it isn't known of one of them. */
export function joinReaches(all: readonly Reach[]): Reach {
  if (all.length === 1) return all[0];
  const used = new Set<number>();
  const files = new Set<string>();
  for (const reach of all) {
    if (!reach) return undefined;
    for (const each of reach.used) used.add(each);
    for (const each of reach.files ?? []) files.add(each);
  }
  return {
    used,
    files: all.every((reach) => reach?.files) ? files : undefined,
    ...(all.every((reach) => reach?.isText) && { isText: true }),
  };
}

/** Returns the names of packages, sorted. */
export function namesOf(
  numbers: Iterable<number>,
  layout: Layout,
): readonly string[] {
  return Array.from(numbers, (number) => layout.nameOf(number)).sort();
}

/** Returns the key of a pair of packages, by their numbers. */
export function pairOf(from: number, to: number, layout: Layout): number {
  return from * layout.workspaces.length + to;
}

/** Adds the packages that one more reference of a pair of packages leads to. */
export function addReach(
  uses: Map<number, Set<number> | undefined>,
  pair: number,
  reach: Reach,
): void {
  const known = uses.get(pair);
  if (!reach || (uses.has(pair) && !known)) uses.set(pair, undefined);
  else if (known) for (const each of reach.used) known.add(each);
  else uses.set(pair, new Set(reach.used));
}
