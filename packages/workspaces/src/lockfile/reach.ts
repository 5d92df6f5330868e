import type { PackageFacts } from "../project.js";
import { locatorOf } from "../project.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";
import { identOf, workspaceDirOf } from "./lockfile.js";
import type { LockResolver } from "./resolver.js";

/** Who can reach an entry: workspace -> the entry it was reached from. */
export type Reached = ReadonlyMap<string, LockEntry>;

/** Finds who can reach entries of a lockfile. */
export interface Reach {
  /**
   * The workspaces whose external dependencies lead to one of these entries, without passing through another workspace
   * (that is what edges are for). Walks from the entries up, so the cost is that of what depends on them.
   * @returns for each workspace the entry of `targets` that it reaches (the first found)
   */
  workspacesReaching(targets: Iterable<LockEntry>): Reached;
}

/** Opens a lockfile for asking who reaches what; the index is made with the first question. */
export function openReach(
  {
    lockfile,
    resolver,
  }: { readonly lockfile: Lockfile; readonly resolver: LockResolver },
  packages: readonly PackageFacts[],
): Reach {
  let dependents: ReturnType<typeof indexDependents> | undefined;
  return {
    workspacesReaching(targets) {
      const origin = new Map([...targets].map((entry) => [entry, entry]));
      const reached = new Map<string, LockEntry>();
      const queue = [...origin.keys()];
      if (queue.length === 0) return reached;
      dependents ??= indexDependents(lockfile, packages);
      for (let next = queue.pop(); next; next = queue.pop()) {
        const from = origin.get(next) ?? next;
        for (const ident of new Set(next.descriptors.map(identOf))) {
          for (const {
            locator,
            dependency,
            entry,
            workspace,
          } of dependents.get(ident) ?? []) {
            if (entry ? origin.has(entry) : reached.has(workspace)) continue;
            if (!resolver.entriesFor(locator, dependency).includes(next))
              continue;
            if (entry) {
              origin.set(entry, from);
              queue.push(entry);
            } else reached.set(workspace, from);
          }
        }
      }
      return reached;
    },
  };
}

/** A dependency seen from its target: an external entry's, or a workspace's. */
interface Dependent {
  readonly locator: string;
  readonly dependency: LockDependency;
  readonly entry: LockEntry | undefined;
  readonly workspace: string;
}

function indexDependents(
  lockfile: Lockfile,
  packages: readonly PackageFacts[],
): Map<string, Dependent[]> {
  const index = new Map<string, Dependent[]>();
  const add = (ident: string, dependent: Dependent) => {
    const list = index.get(ident);
    if (list) list.push(dependent);
    else index.set(ident, [dependent]);
  };
  for (const entry of lockfile.entries) {
    if (workspaceDirOf(entry.resolution) !== undefined) continue;
    for (const dependency of entry.dependencies) {
      add(dependency[0], {
        locator: entry.resolution,
        dependency,
        entry,
        workspace: "",
      });
    }
  }
  for (const facts of packages) {
    const locator = locatorOf(facts);
    for (const { ident, range, field } of facts.dependencies) {
      if (field === "peerDependencies") continue;
      add(ident, {
        locator,
        dependency: [ident, range],
        entry: undefined,
        workspace: facts.name,
      });
    }
  }
  return index;
}
