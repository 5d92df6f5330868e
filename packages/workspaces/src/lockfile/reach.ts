import type { PackageFacts } from "../project.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { identOf, workspaceDirOf, locatorOf } from "./lockfile.js";
import type { LockResolver } from "./resolver.js";

/** The workspaces and entries that can reach some entries. */
export interface Reached {
  /** Workspace -> the entry that it reaches. */
  readonly workspaces: ReadonlyMap<string, LockEntry>;
  /** Entry, including the requested ones -> the entry that it reaches. */
  readonly entries: ReadonlyMap<LockEntry, LockEntry>;
}

/** Finds the dependents of a lockfile's entries. */
export interface Reach {
  /**
   * Finds the workspaces whose external dependencies lead to one of these entries without passing through another
   * workspace (edges cover those). It walks from the entries to their dependents, so the cost is that of the
   * dependents.
   * @returns for each workspace and each entry the first of `targets` that it reaches
   */
  reaching(targets: Iterable<LockEntry>): Reached;
}

/** Opens a lockfile for finding dependents. The index is built on first use. */
export function openReach(
  {
    lockfile,
    resolver,
  }: { readonly lockfile: Lockfile; readonly resolver: LockResolver },
  packages: readonly PackageFacts[],
): Reach {
  let index: ReadonlyMap<string, readonly Use[]> | undefined;
  return {
    reaching(targets) {
      const origin = new Map([...targets].map((entry) => [entry, entry]));
      const reached = new Map<string, LockEntry>();
      const queue = [...origin.keys()];
      if (queue.length === 0) return { workspaces: reached, entries: origin };
      index ??= indexUses(lockfile, packages);
      for (let next = queue.pop(); next; next = queue.pop()) {
        const from = origin.get(next) ?? next;
        for (const use of usesOf(next, index)) {
          const always = leadsTo(next, use, resolver);
          if (always === false) continue;
          const leads = (locator: string) =>
            always ??
            resolver.entriesFor(locator, use.dependency).includes(next);
          for (const entry of use.entries) {
            if (origin.has(entry) || !leads(entry.resolution)) continue;
            origin.set(entry, from);
            queue.push(entry);
          }
          for (const facts of use.packages) {
            if (reached.has(facts.name) || !leads(locatorOf(facts))) continue;
            reached.set(facts.name, from);
          }
        }
      }
      return { workspaces: reached, entries: origin };
    },
  };
}

/** All dependencies on one ident with one range, from the target's point of view. */
interface Use {
  readonly dependency: LockDependency;
  readonly entries: LockEntry[];
  readonly packages: PackageFacts[];
  /** The resolution for all of them; null if it depends on the dependent. It is computed on first use. */
  targets?: readonly LockEntry[] | null;
}

/** Returns the uses of an entry's idents. Uses of one ident may occur twice. */
function usesOf(
  { descriptors }: LockEntry,
  index: ReadonlyMap<string, readonly Use[]>,
): readonly Use[] {
  let uses: readonly Use[] = NONE;
  let last: string | undefined;
  for (const descriptor of descriptors) {
    const ident = identOf(descriptor);
    if (ident === last) continue;
    last = ident;
    const more = index.get(ident) ?? NONE;
    // Most entries have one ident, so no array is copied.
    uses = uses.length === 0 ? more : [...uses, ...more];
  }
  return uses;
}

const NONE: readonly Use[] = [];

/** @returns whether the use leads to the entry for every dependent; undefined if that depends on the dependent */
function leadsTo(
  entry: LockEntry,
  use: Use,
  resolver: LockResolver,
): boolean | undefined {
  use.targets ??= resolver.entriesForAll(use.dependency) ?? null;
  return use.targets?.includes(entry);
}

function indexUses(
  { entries }: Lockfile,
  packages: readonly PackageFacts[],
): ReadonlyMap<string, readonly Use[]> {
  const index = new Map<string, Use[]>();
  const useOf = (dependency: LockDependency): Use => {
    let uses = index.get(dependency[0]);
    if (!uses) index.set(dependency[0], (uses = []));
    for (const use of uses)
      if (use.dependency === dependency || use.dependency[1] === dependency[1])
        return use;
    const use: Use = { dependency, entries: [], packages: [] };
    uses.push(use);
    return use;
  };
  for (const entry of entries) {
    if (workspaceDirOf(entry.resolution) !== undefined) continue;
    for (const dependency of entry.dependencies)
      useOf(dependency).entries.push(entry);
  }
  for (const facts of packages) {
    for (const { ident, range, field } of facts.dependencies) {
      if (field !== "peerDependencies")
        useOf([ident, range]).packages.push(facts);
    }
  }
  return index;
}
