import { components } from "@skein/fingerprint/components";
import { digest } from "@skein/fingerprint/digest";
import { addTo } from "@skein/reporting/group-by";
import type { Dependency } from "../manifest/manifest.js";
import type { LockState, PackageFacts } from "../project.js";
import type { LockEntry } from "./lockfile.js";
import { identOf, workspaceDirOf, locatorOf } from "./lockfile.js";

/** Hashes of the external packages in one lockfile. They differ if `compareLockfiles` finds a difference. */
export interface LockClosures {
  /** By the name of a workspace: the hash of its closure of external packages. */
  readonly workspaces: ReadonlyMap<string, string>;
  /** By the ident of an external package: the hash of all its versions in the lockfile, each with its closure. */
  readonly externals: ReadonlyMap<string, string>;
  /** The same for only the version that the root's own dependency resolves to, by its ident. */
  readonly ofRoot: ReadonlyMap<string, string>;
}

/** Hashes the closures of all workspaces and external packages of a lockfile. Linear in the lockfile. */
export function closuresOf(
  { lockfile, resolver }: LockState,
  packages: readonly PackageFacts[],
): LockClosures {
  const entries = lockfile.entries.filter(
    ({ resolution }) => workspaceDirOf(resolution) === undefined,
  );
  const numbers = new Map(entries.map((entry, number) => [entry, number]));
  const external = (targets: readonly LockEntry[]) =>
    targets.flatMap((target) => numbers.get(target) ?? []);
  const resolved = entries.map(({ resolution, dependencies }) =>
    dependencies.map((each) => resolver.entriesFor(resolution, each)),
  );
  const leads = resolved.map((targets) => targets.flatMap(external));
  const closures: string[] = [];
  for (const members of components(entries.length, (at) => leads[at] ?? [])) {
    const inside = new Set(members);
    const own = members.map((at) => {
      const { resolution, text } = entries[at] ?? { resolution: "", text: "" };
      return digest([resolution, text, ...(resolved[at] ?? []).map(wordOf)]);
    });
    const beyond = members.flatMap((at) =>
      (leads[at] ?? []).flatMap((to) =>
        inside.has(to) ? [] : (closures[to] ?? ""),
      ),
    );
    const closure = digest([...sorted(own), "", ...sorted(beyond)]);
    // Members of a cycle lead to each other, so they share one hash.
    for (const at of members) closures[at] = closure;
  }
  const states = new Map<string, string[]>();
  entries.forEach((entry, at) => {
    for (const ident of new Set(entry.descriptors.map(identOf))) {
      const word = `${entry.resolution}\n${closures[at] ?? ""}`;
      addTo(states, ident, word);
    }
  });
  const stateOf = (locator: string, { ident, range }: Dependency) => {
    const targets = resolver.entriesFor(locator, [ident, range]);
    const below = external(targets).map((at) => closures[at] ?? "");
    return digest([ident, wordOf(targets), ...sorted(below)]);
  };
  const root = packages.find(({ dir }) => dir === ".");
  return {
    workspaces: new Map(
      packages.map((facts) => {
        const locator = locatorOf(facts);
        const words = facts.dependencies.flatMap((each) =>
          each.field === "peerDependencies" ? [] : [stateOf(locator, each)],
        );
        return [facts.name, digest(sorted(words))];
      }),
    ),
    ofRoot: new Map(
      root?.dependencies
        .filter(({ field }) => field !== "peerDependencies")
        .map((each) => [each.ident, stateOf(locatorOf(root), each)]),
    ),
    externals: new Map(
      Array.from(states, ([ident, words]) => [ident, digest(sorted(words))]),
    ),
  };
}

/** Returns the resolutions of a dependency, independent of their order. */
function wordOf(targets: readonly LockEntry[]): string {
  return sorted(targets.map(({ resolution }) => resolution)).join("\n");
}

function sorted(words: readonly string[]): string[] {
  return [...new Set(words)].sort();
}
