import type { SourceEdge } from "../../graph.js";
import { below } from "../../resolve.js";
import type { Checks } from "./checks.js";
import type { Layout } from "../layout.js";
import type { ModuleReach } from "./module-reach.js";
import type { KnownUses } from "./narrowed-uses.js";
import { addReach, pairOf, type Reach, ReachSum } from "./reach.js";
import type { RowWithPath } from "../targets/match.js";

/** One edge, as far as it is known. */
interface Noted {
  edge: Omit<SourceEdge, "onward" | "files" | "isGuess">;
  /** Whether all references that make it are open ends. */
  isGuess: boolean;
  /** The files and packages to which its references lead; undefined if they aren't known. */
  readonly reach: ReachSum | undefined;
}

/** One edge of scripts that only test or check. */
interface NotedCheck extends Pick<SourceEdge, "via"> {
  readonly checks: Set<string>;
  isGuess: boolean;
  /** @see Noted */
  reach: ReachSum | undefined;
}

/** The inputs for the notes. */
export interface EdgeWorld {
  readonly layout: Layout;
  readonly reach: ModuleReach;
  readonly checks: Checks;
}

/** The edges between packages that are found, one by one. */
export class EdgeNotes implements KnownUses {
  /** @see KnownUses */
  readonly declared = new Map<number, Set<number> | undefined>();
  /**
   * By the number of a package, those that its manifest uses: scripts may build what its modules load, so every user of the
   * package uses these.
   */
  readonly #byManifest = new Map<number, Set<number>>();
  readonly #noted = new Map<number, Noted>();
  /** The edges whose references are all in scripts that only test or check, by `pairOf`. */
  readonly #ofChecks = new Map<number, NotedCheck>();
  readonly #layout: Layout;
  readonly #reach: ModuleReach;
  readonly #checks: Checks;

  constructor({ layout, reach, checks }: EdgeWorld) {
    this.#layout = layout;
    this.#reach = reach;
    this.#checks = checks;
  }

  /** Returns the packages that the modules use which a row loads. */
  reachOf(
    last: RowWithPath | undefined,
    to: number,
    isDeclared = false,
  ): Reach {
    return last && this.#reach.ofRow(last, to, isDeclared);
  }

  /**
   * Keeps up to two edges of each pair of packages, preferably not from asides: one for references that may lead on to everything that
   * the target uses, one for references to modules for which Skein knows what they use.
   * @param first the file of the first reference
   * @param last undefined if it isn't known which modules are loaded
   * @returns whether this edge is kept, and is of an aside
   */
  note(
    from: number,
    to: number,
    first: string,
    last: RowWithPath | undefined,
    facts: () => Pick<SourceEdge, "via" | "testOnly">,
  ): boolean {
    const layout = this.#layout;
    if (from < 0 || from === to) return false;
    const pair = pairOf(from, to, layout);
    const isOfManifest = first === below(layout.dirOf(from), "package.json");
    if (isOfManifest)
      this.#byManifest.set(from, this.manifestUses(from).add(to));
    if (layout.isShown(from, to)) {
      addReach(this.declared, pair, this.reachOf(last, to, true));
      return false;
    }
    const isGuess = last?.layer.isPartial(last.row) === true;
    if (isOfManifest) {
      const { via } = facts();
      const check = via[0] && this.#checks.around(via[0]);
      if (check !== undefined) {
        const reach = this.reachOf(last, to);
        this.#noteCheck(pair, check, { via, isGuess, reach });
        return false;
      }
    }
    const whole = this.#noted.get(pair * 2);
    if (whole && !isGuess) whole.isGuess = false;
    if (whole?.edge.testOnly === false) return false;
    const reach = this.reachOf(last, to);
    const key = reach ? pair * 2 + 1 : pair * 2;
    const known = this.#noted.get(key);
    if (known && !isGuess) known.isGuess = false;
    const sum = known?.reach ?? (reach && new ReachSum());
    if (reach) sum?.add(reach);
    if (known?.edge.testOnly === false) return false;
    const { via, testOnly } = facts();
    if (!testOnly || !known)
      this.#noted.set(key, {
        edge: {
          from: layout.nameOf(from),
          to: layout.nameOf(to),
          via,
          testOnly,
        },
        isGuess: isGuess && known?.isGuess !== false,
        reach: sum,
      });
    return testOnly;
  }

  #noteCheck(
    pair: number,
    check: string,
    {
      via,
      isGuess,
      reach,
    }: Pick<NotedCheck, "via" | "isGuess"> & { readonly reach: Reach },
  ): void {
    const known = this.#ofChecks.get(pair);
    if (!known) {
      const sum = reach && new ReachSum();
      if (reach) sum?.add(reach);
      const checks = new Set([check]);
      this.#ofChecks.set(pair, { via, checks, isGuess, reach: sum });
      return;
    }
    known.checks.add(check);
    known.isGuess &&= isGuess;
    if (reach) known.reach?.add(reach);
    else known.reach = undefined;
  }

  /** @see KnownUses */
  readonly manifestUses = (number: number): Set<number> =>
    this.#byManifest.get(number) ?? new Set();

  edges(): readonly SourceEdge[] {
    const ofChecks = Array.from(
      this.#ofChecks,
      ([pair, { via, checks, isGuess, reach }]) => ({
        edge: { ...this.#ends(pair), via, testOnly: false },
        isGuess,
        reach,
        checks: [...checks].toSorted(),
      }),
    );
    return [...this.#each(), ...ofChecks].map(
      ({ edge, reach, isGuess, ...checks }) => ({
        ...edge,
        ...(isGuess && { isGuess }),
        ...this.factsOf(edge.to, reach),
        ...checks,
      }),
    );
  }

  /** Returns the noted edges, independently of the order of the references. */
  *#each(): Iterable<Noted> {
    for (const [key, each] of this.#noted) {
      const whole = key % 2 === 1 ? this.#noted.get(key - 1) : undefined;
      const narrow = key % 2 === 0 ? this.#noted.get(key + 1) : undefined;
      // It includes what this edge leads to.
      if (whole?.edge.testOnly === false) continue;
      yield narrow?.isGuess === false ? { ...each, isGuess: false } : each;
    }
  }

  #ends(pair: number): Pick<SourceEdge, "from" | "to"> {
    const { length } = this.#layout.workspaces;
    return {
      from: this.#layout.nameOf(Math.floor(pair / length)),
      to: this.#layout.nameOf(pair % length),
    };
  }

  /** Returns what references to a package, by its name, lead to, as facts of an edge. */
  factsOf(to: string, reach: ReachSum | undefined) {
    const number = this.#layout.byName.get(to) ?? -1;
    return reach?.of(this.#layout, this.manifestUses(number));
  }
}
