import { components } from "./components.js";
import { digest } from "./digest.js";
import type { Fact, TreeFacts } from "./fact.js";
import { compileReads } from "./reads.js";
import { originalOf, splitEdges } from "./split-edges.js";

/** The facts that a package passes on to its dependents: its spreading facts, and those of all its dependencies. */
export interface Folded {
  /** Undefined if the content of a file is unknown. */
  readonly hex: string | undefined;
  /** The names of the environment variables among the facts. */
  readonly variables: ReadonlySet<string>;
}

/** Returns a tree with the edges that `splitEdges` makes; the copies have the spreading facts of their packages, without files that aren't read. */
export function splitTree(tree: TreeFacts): TreeFacts {
  const packages = new Map(tree.packages);
  const edges = splitEdges(tree.edges);
  for (const edge of edges) {
    const { to } = edge;
    const facts = packages.has(to) ? undefined : packages.get(originalOf(to));
    if (!facts) continue;
    const isRead = compileReads(edge);
    const spreading = facts.spreading.filter(isRead);
    packages.set(to, { own: [], spreading });
  }
  return { ...tree, packages, edges };
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Folds the spreading facts of every package along the edges, so that a dependent reads one hash instead of walking to
 * all reachable packages. Packages that depend on each other share one hash. Linear in packages and edges.
 * @returns a function from the name of a package to the facts that it passes on
 */
export function fold(tree: TreeFacts): (name: string) => Folded | undefined {
  const names = [...tree.packages.keys()];
  const numbers = new Map(names.map((name, at) => [name, at]));
  const targets = names.map(() => new Set<number>());
  for (const { from, to, testOnly } of tree.edges) {
    const at = numbers.get(to);
    if (at !== undefined && !testOnly)
      targets[numbers.get(from) ?? -1]?.add(at);
  }
  const next = targets.map((set) => [...set]);
  const folded: Folded[] = [];
  for (const members of components(names.length, (at) => next[at] ?? [])) {
    const inside = new Set(members);
    const beyond = new Set(
      members.flatMap((at) =>
        (next[at] ?? []).flatMap((to) =>
          inside.has(to) ? [] : (folded[to] ?? []),
        ),
      ),
    );
    const words = members.map((at) => {
      const name = names[at] ?? "";
      const facts = tree.packages.get(name)?.spreading ?? [];
      const leads = (next[at] ?? []).map((to) => names[to] ?? "").sort();
      const hex = hashFacts(facts);
      return hex && digest([name, hex, ...leads]);
    });
    const own = members.flatMap((at) =>
      variablesIn(tree.packages.get(names[at] ?? "")?.spreading ?? []),
    );
    const one: Folded = {
      hex: hashKnown([...words, ...Array.from(beyond, ({ hex }) => hex)]),
      variables: union(own, [...beyond]),
    };
    for (const at of members) folded[at] = one;
  }
  return (name) => folded[numbers.get(name) ?? -1];
}

/**
 * Hashes facts regardless of their order; undefined if the state of one is unknown. It skips variables, because their
 * values are hashed later.
 */
export function hashFacts(facts: readonly Fact[]): string | undefined {
  const words: string[] = [];
  for (const { kind, name, state } of facts) {
    if (kind === "variable") continue;
    if (state === undefined) return undefined;
    words.push(`${kind}\0${name}\0${state}`);
  }
  return digest([...new Set(words)].sort());
}

/** Hashes words regardless of their order; undefined if one is unknown. */
export function hashKnown(
  words: readonly (string | undefined)[],
): string | undefined {
  const known = new Set<string>();
  for (const word of words) {
    if (word === undefined) return undefined;
    known.add(word);
  }
  return digest([...known].sort());
}

/** Returns the names of the variables among facts. */
export function variablesIn(facts: readonly Fact[]): readonly string[] {
  return facts.flatMap(({ kind, name }) => (kind === "variable" ? [name] : []));
}

/** Joins sets. If one set contains all elements, the result is that set instead of a copy. */
export function union(
  own: readonly string[],
  others: readonly Pick<Folded, "variables">[],
): ReadonlySet<string> {
  let largest = NONE;
  for (const { variables } of others)
    if (variables.size > largest.size) largest = variables;
  const missing = new Set<string>();
  for (const names of [own, ...others.map(({ variables }) => variables)])
    if (names !== largest)
      for (const name of names) if (!largest.has(name)) missing.add(name);
  return missing.size === 0 ? largest : new Set([...largest, ...missing]);
}
