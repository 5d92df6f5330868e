import type { Fact, FactEdge, FactKind, TreeFacts } from "./fact.js";
import { FIELDS, fieldOf, type FieldName } from "./fingerprint.js";
import { splitTree } from "./fold.js";
import { originalOf } from "./split-edges.js";
import { countedNames, type Surroundings } from "./surroundings.js";

/** One input of a fingerprint. */
export interface Entry {
  readonly field: FieldName;
  readonly kind: FactKind | "package" | "runtime";
  /** A path, the name of a package, a field, a script or a variable. */
  readonly name: string;
  /** The package that the entry comes from, if it isn't the unit's own. */
  readonly by?: string;
  /** Its state. For a variable, only whether it is set, because values may be secret. Undefined if it is unknown. */
  readonly state: string | undefined;
}

/** A difference in one entry between two fingerprints. */
export interface Difference {
  readonly entry: Pick<Entry, "field" | "kind" | "name" | "by">;
  readonly change: "added" | "changed" | "gone";
}

/** Returns all inputs of a package's fingerprint, field by field, in a fixed order. */
export function entriesOf(
  tree: TreeFacts,
  name: string,
  surroundings: Surroundings,
): readonly Entry[] {
  const { runtime, env } = surroundings;
  const { own = [], spreading = [] } = tree.packages.get(name) ?? {};
  const entries = new Map<string, Entry>();
  const variables = new Set<string>();
  const add = (entry: Entry) =>
    entries.set(wordOf(entry) + (entry.state ?? ""), entry);
  const addAll = (
    facts: readonly Fact[],
    place: (fact: Fact) => Pick<Entry, "field" | "by">,
  ) => {
    for (const fact of facts)
      if (fact.kind === "variable") variables.add(fact.name);
      else {
        const { kind, name, state } = fact;
        add({ ...place(fact), kind, name, state });
      }
  };
  addAll([...own, ...spreading], (fact) => ({ field: fieldOf(fact) }));
  addAll(tree.everything, () => ({ field: "everything" }));
  const split = splitTree(tree);
  for (const copy of reachedFrom(name, split)) {
    const by = originalOf(copy);
    add({ field: "dependencies", kind: "package", name: by, state: "" });
    addAll(split.packages.get(copy)?.spreading ?? [], () => ({
      field: "dependencies",
      by,
    }));
  }
  for (const [each, state] of Object.entries(runtime))
    add({ field: "runtime", kind: "runtime", name: each, state });
  for (const each of countedNames(variables, surroundings)) {
    const isSet = Object.hasOwn(env, each) && env[each] !== undefined;
    add({
      field: "variables",
      kind: "variable",
      name: each,
      state: isSet ? "set" : "not set",
    });
  }
  return [...entries.values()].toSorted(
    (a, b) =>
      FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field) ||
      compare(wordOf(a), wordOf(b)),
  );
}

/** Finds the first entry in which two fingerprints differ; undefined if none does. */
export function firstDifference(
  was: readonly Entry[],
  is: readonly Entry[],
): Difference | undefined {
  const [before, after] = [statesOf(was), statesOf(is)];
  const differing = [...was, ...is].filter(
    (entry) => before.get(wordOf(entry)) !== after.get(wordOf(entry)),
  );
  let first: Entry | undefined;
  for (const entry of differing)
    if (!first || isBefore(entry, first)) first = entry;
  if (!first) return undefined;
  const { field, kind, name, by } = first;
  return {
    entry: { field, kind, name, ...(by !== undefined && { by }) },
    change: !before.has(wordOf(first))
      ? "added"
      : after.has(wordOf(first))
        ? "changed"
        : "gone",
  };
}

function isBefore(a: Entry, b: Entry): boolean {
  const order = FIELDS.indexOf(a.field) - FIELDS.indexOf(b.field);
  return order < 0 || (order === 0 && compare(wordOf(a), wordOf(b)) < 0);
}

function statesOf(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const entry of entries) {
    const word = wordOf(entry);
    states.set(word, `${states.get(word) ?? ""}\n${entry.state ?? "unknown"}`);
  }
  return states;
}

function wordOf({ field, kind, name, by = "" }: Entry): string {
  return [field, by, kind, name].join("\0");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Returns the packages whose facts count for a package. Edges of tests count only for the package itself, not for its
 * dependents.
 */
function reachedFrom(name: string, tree: TreeFacts): ReadonlySet<string> {
  const targets = new Map<string, FactEdge[]>();
  for (const edge of tree.edges) {
    const known = targets.get(edge.from);
    if (known) known.push(edge);
    else targets.set(edge.from, [edge]);
  }
  const reached = new Set((targets.get(name) ?? []).map(({ to }) => to));
  // A loop over a set also visits elements that are added during the loop.
  for (const each of reached)
    for (const { to, testOnly } of targets.get(each) ?? [])
      if (!testOnly) reached.add(to);
  return reached;
}
