import type { Edge, Workspace } from "./graph.js";
import type { LockEntry } from "./lockfile/lockfile.js";
import {
  decode,
  identOf,
  rangeOf,
  workspaceDirOf,
} from "./lockfile/lockfile.js";
import { openReach } from "./lockfile/reach.js";
import { isWithin, resolveFrom } from "./paths.js";
import type { LockState, PackageFacts, PathTarget } from "./project.js";
import { locatorOf } from "./project.js";

/** What the dependencies of all packages come to: edges among workspaces, and targets outside every workspace. */
export interface DrawnEdges {
  readonly edges: readonly Edge[];
  readonly pathTargets: readonly PathTarget[];
}

/**
 * Draws the edges of a project, each dependency resolved as Yarn resolves it: by yarn.lock where it knows the
 * descriptor; a dependency that no lockfile knows goes to the workspace of its name, if there is one (whether the range
 * matches cannot be known, and one edge too many is safe).
 */
export function drawEdges(
  packages: readonly PackageFacts[],
  lock: LockState | undefined,
): DrawnEdges {
  const byName = new Map(packages.map((facts) => [facts.name, facts]));
  const byDir = new Map(packages.map((facts) => [facts.dir, facts]));
  const ruled = new Set(lock?.resolutions.map(({ ident }) => ident));
  const edges: Edge[] = [];
  const pathTargets: PathTarget[] = [];

  const toPath = (
    from: string,
    kind: Edge["kind"],
    path: string,
    evidence: string,
  ) => {
    const owner =
      packages.find(({ dir }) => dir === path) ?? innermost(packages, path);
    if (!owner) pathTargets.push({ workspace: from, path, evidence });
    const targets = new Set(owner && [owner]);
    // A folder that holds workspaces is used with all that is in them.
    for (const facts of path === "." ? [] : packages)
      if (facts.dir.startsWith(`${path}/`)) targets.add(facts);
    for (const { name } of targets)
      if (name !== from) edges.push({ from, to: name, kind, evidence });
  };

  const redirected = lock ? workspaceIdents(lock) : new Set<string>();
  for (const facts of packages) {
    const { name: from, dir } = facts;
    for (const { ident, range, field } of facts.dependencies) {
      const named = byName.get(ident);
      const to = (target: PackageFacts | undefined) => {
        if (target && target !== facts)
          edges.push({
            from,
            to: target.name,
            kind: field,
            evidence: `${ident}@${range}`,
          });
      };
      if (field === "peerDependencies") {
        to(named);
        continue;
      }
      if (range.startsWith("workspace:") && !ruled.has(ident)) {
        const path = resolveFrom(".", range.slice("workspace:".length));
        // Yarn 6 takes a name there, too.
        to(
          byDir.get(path) ??
            byName.get(range.slice("workspace:".length)) ??
            named,
        );
        continue;
      }
      for (const path of pathsIn(range, dir))
        toPath(from, field, path, `${ident}@${range}`);
      if (LOCAL.test(range)) continue;
      // Only an ident under which the lockfile knows a workspace, or a resolution's, can lead to one.
      const entries =
        lock && (redirected.has(ident) || ruled.has(ident))
          ? lock.resolver.entriesFor(locatorOf(facts), [ident, range])
          : [];
      // A package that the lockfile has not caught up with may take over a name of the registry.
      if (!redirected.has(ident)) to(named);
      for (const { resolution } of entries)
        to(byDir.get(workspaceDirOf(resolution) ?? ""));
    }
  }
  if (lock) {
    const reach = openReach(lock, packages);
    for (const { entry, dir } of bridges(lock, redirected)) {
      const to = byDir.get(dir)?.name;
      if (to === undefined) continue;
      for (const from of reach.reaching([entry]).workspaces.keys()) {
        if (from !== to)
          edges.push({
            from,
            to,
            kind: "dependencies",
            evidence: entry.resolution,
          });
      }
    }
    for (const entry of lock.lockfile.entries) {
      for (const path of pathsOfEntry(entry.resolution)) {
        for (const from of reach.reaching([entry]).workspaces.keys())
          toPath(from, "dependencies", path, entry.resolution);
      }
    }
  }
  return { edges, pathTargets };
}

/** External packages (portals, or by a resolution any) that depend on a workspace, and that workspace's folder. */
function* bridges(
  { lockfile, resolver }: LockState,
  redirected: ReadonlySet<string>,
): Generator<{ readonly entry: LockEntry; readonly dir: string }> {
  for (const entry of lockfile.entries) {
    if (workspaceDirOf(entry.resolution) !== undefined) continue;
    for (const dependency of entry.dependencies) {
      if (!redirected.has(dependency[0])) continue;
      for (const target of resolver.entriesFor(entry.resolution, dependency)) {
        const dir = workspaceDirOf(target.resolution);
        if (dir !== undefined) yield { entry, dir };
      }
    }
  }
}

/** The idents under which a lockfile knows workspaces: their names, and whatever else resolves to them. */
function workspaceIdents({
  lockfile,
}: Pick<LockState, "lockfile">): ReadonlySet<string> {
  const idents = new Set<string>();
  for (const { descriptors, resolution } of lockfile.entries) {
    if (workspaceDirOf(resolution) === undefined) continue;
    for (const descriptor of descriptors) idents.add(identOf(descriptor));
  }
  return idents;
}

/** The workspace other than the root that holds this path. */
function innermost(
  packages: readonly PackageFacts[],
  path: string,
): Workspace | undefined {
  let best: PackageFacts | undefined;
  for (const facts of packages) {
    if (
      facts.dir !== "." &&
      isWithin(path, facts.dir) &&
      facts.dir.length > (best?.dir.length ?? 0)
    )
      best = facts;
  }
  return best;
}

/** Ranges that are paths; Yarn reads one that begins with a dot as file:. */
const LOCAL = /^(?:(?:link|portal|file|exec):|\.{1,2}\/)/;

/** Files and folders of the repository that a range names: of link:, portal:, file:, exec:, and the patches of patch:. */
export function pathsIn(range: string, dir: string): string[] {
  if (LOCAL.test(range)) {
    const path = range.replace(/^[a-z]+:/, "").split(/#|::/, 1)[0] ?? "";
    return [resolveFrom(dir, decode(path))];
  }
  if (!range.startsWith("patch:")) return [];
  const hash = range.indexOf("#");
  // What is patched may itself be a patched package.
  const source = rangeOf(decode(range.slice("patch:".length, hash)));
  const patches = range.slice(hash + 1).split("::", 1)[0] ?? "";
  const files = patches.split("&").flatMap((patch) => {
    const file = decode(patch.replace(/^optional!/, ""));
    if (file.startsWith("builtin<") || file === "") return [];
    return [file.startsWith("~/") ? file.slice(2) : resolveFrom(dir, file)];
  });
  return [...pathsIn(source, dir), ...files];
}

/** Files and folders that a link:, portal:, file: or patch: entry names, found through the locator it is bound to. */
function pathsOfEntry(resolution: string): string[] {
  const range = rangeOf(resolution);
  if (!LOCAL.test(range) && !range.startsWith("patch:")) return [];
  const parent = decode(/[:&]locator=([^&]*)/.exec(range)?.[1] ?? "");
  return pathsIn(
    range,
    workspaceDirOf(parent) ?? pathsOfEntry(parent)[0] ?? ".",
  );
}
