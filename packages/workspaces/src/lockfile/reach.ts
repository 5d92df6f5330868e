import type { PackageFacts } from "../project.js";
import { locatorOf } from "../project.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { identOf, workspaceDirOf } from "./lockfile.js";
import type { LockResolver } from "./resolver.js";

/** Who can reach some entries. */
export interface Reached {
  /** Workspace -> the entry that it was reached from. */
  readonly workspaces: ReadonlyMap<string, LockEntry>;
  /** Entry, those that were asked for among them -> the entry that it was reached from. */
  readonly entries: ReadonlyMap<LockEntry, LockEntry>;
}

/** Finds who can reach entries of a lockfile. */
export interface Reach {
  /**
   * The workspaces whose external dependencies lead to one of these entries, without passing through another workspace
   * (that is what edges are for). Walks from the entries up, so the cost is that of what depends on them.
   * @returns for each workspace, and each entry, the entry of `targets` that it reaches (the first found)
   */
  reaching(targets: Iterable<LockEntry>): Reached;
}

/** Opens a lockfile for asking who reaches what; the index is made with the first question. */
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

/** All dependencies on one ident by one range, seen from their target. */
interface Use {
  readonly dependency: LockDependency;
  readonly entries: LockEntry[];
  readonly packages: PackageFacts[];
  /** What it resolves to for all of them; null where that hangs on the dependent. Resolved when it is asked for. */
  targets?: readonly LockEntry[] | null;
}

/** The uses of an entry's idents; those of one ident perhaps twice. */
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
    // Most have one ident: nothing is copied.
    uses = uses.length === 0 ? more : [...uses, ...more];
  }
  return uses;
}

const NONE: readonly Use[] = [];

/** @returns whether the use leads to the entry, whoever the dependent; undefined where that hangs on the dependent */
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
