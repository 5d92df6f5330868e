import type { SourceEdge } from "../graph.js";
import { below } from "../resolve.js";
import type { Layer } from "./layer.js";
import type { Layout } from "./layout.js";
import type { Reach } from "./loaded-modules.js";
import { addReach, namesOf, pairOf, type ModuleReach } from "./module-reach.js";
import type { KnownUses } from "./narrowed-uses.js";

/** The reference of a chain that leads into the other package. */
export interface LastReference {
  readonly layer: Layer;
  readonly row: number;
  /** The path that it means, if it isn't the one that it names (an alias). */
  readonly path: string | undefined;
}

/** One edge, as far as it is known. */
interface Noted {
  edge: Omit<SourceEdge, "onward" | "isGuess">;
  /** Whether all references that make it are open ends. */
  isGuess: boolean;
  /** The packages to which it leads on; undefined for all of them. */
  readonly onward: Set<number> | undefined;
}

/** The edges between packages that are found, one by one. */
export class EdgeNotes implements KnownUses {
  /** @see KnownUses */
  readonly declared = new Map<number, Set<number> | undefined>();
  /**
   * By the number of a package, those that its manifest uses: scripts may build what its modules load, so everybody who uses
   * the package uses these.
   */
  readonly #byManifest = new Map<number, Set<number>>();
  readonly #noted = new Map<number, Noted>();
  readonly #layout: Layout;
  readonly #reach: ModuleReach;

  constructor(layout: Layout, reach: ModuleReach) {
    this.#layout = layout;
    this.#reach = reach;
  }

  /** Returns the packages that the modules use which a row loads. */
  reachOf(
    last: LastReference | undefined,
    to: number,
    isDeclared = false,
  ): Reach {
    return last && this.#reach.ofRow(last, to, isDeclared);
  }

  /**
   * Keeps up to two edges of each pair of packages, preferably such that don't come from asides: one for references that may
   * lead on to everything that the target uses, one for references to modules of which it is known what they use.
   * @param first the file of the first reference
   * @param last undefined if it isn't known which modules are loaded
   * @returns whether this edge is kept, and is of an aside
   */
  note(
    from: number,
    to: number,
    first: string,
    last: LastReference | undefined,
    facts: () => Pick<SourceEdge, "via" | "testOnly">,
  ): boolean {
    const layout = this.#layout;
    if (from < 0 || from === to) return false;
    const pair = pairOf(from, to, layout);
    if (first === below(layout.dirOf(from), "package.json"))
      this.#byManifest.set(from, this.manifestUses(from).add(to));
    if (layout.isShown(from, to)) {
      addReach(this.declared, pair, this.reachOf(last, to, true));
      return false;
    }
    const isGuess = last?.layer.isPartial(last.row) === true;
    const whole = this.#noted.get(pair * 2);
    if (whole && !isGuess) whole.isGuess = false;
    if (whole?.edge.testOnly === false) return false;
    const reach = this.reachOf(last, to);
    const key = reach ? pair * 2 + 1 : pair * 2;
    const known = this.#noted.get(key);
    if (known && !isGuess) known.isGuess = false;
    for (const each of reach ?? []) known?.onward?.add(each);
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
        onward: known?.onward ?? (reach && new Set(reach)),
      });
    return testOnly;
  }

  /** @see KnownUses */
  readonly manifestUses = (number: number): Set<number> =>
    this.#byManifest.get(number) ?? new Set();

  edges(): readonly SourceEdge[] {
    return Array.from(this.#noted.values(), ({ edge, onward, isGuess }) => ({
      ...edge,
      ...(isGuess && { isGuess }),
      ...(onward && { onward: this.#namesOnward(edge.to, onward) }),
    }));
  }

  #namesOnward(to: string, onward: ReadonlySet<number>): readonly string[] {
    const number = this.#layout.byName.get(to) ?? -1;
    const all = new Set([...onward, ...this.manifestUses(number)]);
    return namesOf(all, this.#layout);
  }
}
