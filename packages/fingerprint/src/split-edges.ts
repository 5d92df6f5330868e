import { digest } from "./digest.js";

/** An edge of a graph of packages. */
export interface NarrowEdge {
  readonly from: string;
  readonly to: string;
  /** The names of the packages to which it leads on; undefined for all packages that `to` uses. */
  readonly onward?: readonly string[];
  /** @see FactEdge.reads */
  readonly reads?: readonly string[];
  /** @see FactEdge.readsOnly */
  readonly readsOnly?: true;
}

/** Separates the name of a package from the word of its copy. */
const COPY = "\0";

/**
 * Returns edges on which every walk is allowed: each edge with `onward` or `reads` leads to a copy of its package, which has
 * only the edges to the packages in `onward`. The copies have names of their own.
 */
export function splitEdges<Each extends NarrowEdge>(
  edges: readonly Each[],
): readonly Each[] {
  const copies = new Map<string, Each>();
  const split = edges.map((edge) => {
    const { onward, reads, readsOnly } = edge;
    if (!onward && !reads) return edge;
    const words = [
      onward ?? ["*"],
      reads ?? ["*"],
      readsOnly ? ["only"] : [],
    ].flatMap((each) => [...each.toSorted(), ""]);
    const name = `${edge.to}${COPY}${digest(words)}`;
    copies.set(name, edge);
    return { ...edge, to: name };
  });
  const byFrom = new Map<string, number[]>();
  edges.forEach(({ from }, at) => {
    const known = byFrom.get(from);
    if (known) known.push(at);
    else byFrom.set(from, [at]);
  });
  for (const [from, { to, onward }] of copies)
    for (const at of byFrom.get(to) ?? []) {
      const next = split[at];
      if (next && onward?.includes(originalOf(next.to)) !== false)
        split.push({ ...next, from });
    }
  return split;
}

/** Returns the name of the package that `splitEdges` copied, or the name itself. */
export function originalOf(name: string): string {
  return name.split(COPY, 1)[0] ?? name;
}
