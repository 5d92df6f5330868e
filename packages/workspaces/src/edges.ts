import { addToSet } from "@skein/reporting/group-by";
import type { Edge, Workspace } from "./graph.js";
import type { LockEntry } from "./lockfile/lockfile.js";
import {
  decode,
  identOf,
  rangeOf,
  workspaceDirOf,
  locatorOf,
} from "./lockfile/lockfile.js";
import { openReach, type Reach } from "./lockfile/reach.js";
import type { Dependency } from "./manifest/manifest.js";
import { isWithin, resolveFrom } from "./paths.js";
import type {
  LockState,
  NamedByExternals,
  PackageFacts,
  PathTarget,
} from "./project.js";

/** The edges among workspaces, and the targets outside every workspace, that follow from all dependencies. */
export interface DrawnEdges {
  readonly edges: readonly Edge[];
  readonly pathTargets: readonly PathTarget[];
  readonly namedByExternals: NamedByExternals;
}

/** A project, and the edges that are drawn so far. */
interface Drawing {
  readonly packages: readonly PackageFacts[];
  readonly byName: ReadonlyMap<string, PackageFacts>;
  readonly byDir: ReadonlyMap<string, PackageFacts>;
  readonly lock: LockState | undefined;
  /** The idents that have a resolution in the root's manifest. */
  readonly ruled: ReadonlySet<string>;
  /** The idents that yarn.lock has for workspaces. */
  readonly redirected: ReadonlySet<string>;
  readonly edges: Edge[];
  readonly pathTargets: PathTarget[];
  readonly namedByExternals: Map<string, Set<string>>;
}

/**
 * Draws the edges of a project. It resolves each dependency as Yarn does: by yarn.lock if it contains the descriptor. A
 * dependency that is missing in yarn.lock leads to the workspace of its name, if there is one. Whether its range
 * matches is unknown then, but an additional edge is safe.
 */
export function drawEdges(
  packages: readonly PackageFacts[],
  lock: LockState | undefined,
): DrawnEdges {
  const drawing: Drawing = {
    packages,
    byName: new Map(packages.map((facts) => [facts.name, facts])),
    byDir: new Map(packages.map((facts) => [facts.dir, facts])),
    lock,
    ruled: new Set(lock?.resolutions.map(({ ident }) => ident)),
    redirected: lock ? workspaceIdents(lock) : new Set(),
    edges: [],
    pathTargets: [],
    namedByExternals: new Map(),
  };
  for (const facts of packages)
    for (const dependency of facts.dependencies)
      drawDependency(drawing, facts, dependency);
  if (lock) {
    const reach = openReach(lock, packages);
    drawUsesByExternals(drawing, lock, reach);
    drawPathsOfExternals(drawing, lock, reach);
  }
  const { edges, pathTargets, namedByExternals } = drawing;
  return { edges, pathTargets, namedByExternals };
}

/** Draws the edges of one dependency of a workspace. */
function drawDependency(
  drawing: Drawing,
  facts: PackageFacts,
  dependency: Dependency,
): void {
  const { byName, byDir, lock, ruled, redirected } = drawing;
  const { ident, range, field } = dependency;
  const named = byName.get(ident);
  if (field === "peerDependencies") {
    drawTo(drawing, facts, dependency, named);
    return;
  }
  if (range.startsWith("workspace:") && !ruled.has(ident)) {
    const wanted = range.slice("workspace:".length);
    // Yarn 6 also accepts a name there.
    const target =
      byDir.get(resolveFrom(".", wanted)) ?? byName.get(wanted) ?? named;
    drawTo(drawing, facts, dependency, target);
    return;
  }
  for (const path of pathsIn(range, facts.dir))
    drawToPath(drawing, facts.name, field, path, `${ident}@${range}`);
  if (LOCAL.test(range)) return;
  // A dependency can lead to a workspace only if the lockfile has its ident for a workspace, or a resolution has it.
  const entries =
    lock && (redirected.has(ident) || ruled.has(ident))
      ? lock.resolver.entriesFor(locatorOf(facts), [ident, range])
      : [];
  // A package that is missing in the lockfile may replace one of the same name from the registry.
  if (!redirected.has(ident)) drawTo(drawing, facts, dependency, named);
  for (const { resolution } of entries) {
    const target = byDir.get(workspaceDirOf(resolution) ?? "");
    drawTo(drawing, facts, dependency, target);
  }
}

/** Draws the edge of a dependency to a workspace, if it is another one. */
function drawTo(
  { edges }: Drawing,
  facts: PackageFacts,
  { ident, range, field, isOptional }: Dependency,
  target: PackageFacts | undefined,
): void {
  if (target && target !== facts)
    edges.push({
      from: facts.name,
      to: target.name,
      kind: isOptional ? "optionalPeer" : field,
      evidence: `${ident}@${range}`,
    });
}

/** Draws the edges of a dependency on a file or folder. */
function drawToPath(
  { packages, edges, pathTargets }: Drawing,
  from: string,
  kind: Edge["kind"],
  path: string,
  evidence: string,
): void {
  const owner =
    packages.find(({ dir }) => dir === path) ?? innermost(packages, path);
  if (!owner) pathTargets.push({ workspace: from, path, evidence });
  const targets = new Set(owner && [owner]);
  // A dependency on a folder that contains workspaces is a dependency on all of them.
  for (const facts of path === "." ? [] : packages)
    if (facts.dir.startsWith(`${path}/`)) targets.add(facts);
  for (const { name } of targets)
    if (name !== from) edges.push({ from, to: name, kind, evidence });
}

/**
 * Draws an edge to each workspace that an external package depends on, from the workspaces that use this package. It
 * also collects the names of workspaces that external packages depend on at another version.
 */
function drawUsesByExternals(
  { byName, byDir, redirected, edges, namedByExternals }: Drawing,
  lock: LockState,
  reach: Reach,
): void {
  const entriesByName = new Map<string, LockEntry[]>();
  for (const { entry, ident, dir } of usesByExternals(lock, redirected)) {
    if (dir === undefined) {
      const known = entriesByName.get(ident);
      if (known) known.push(entry);
      else if (byName.has(ident)) entriesByName.set(ident, [entry]);
      continue;
    }
    const to = byDir.get(dir)?.name;
    if (to === undefined) continue;
    const evidence = entry.resolution;
    for (const from of reach.reaching([entry]).workspaces.keys())
      if (from !== to) edges.push({ from, to, kind: "dependencies", evidence });
  }
  for (const [name, entries] of entriesByName)
    for (const from of reach.reaching(entries).workspaces.keys())
      if (from !== name) addToSet(namedByExternals, from, name);
}

/** Draws the edges to the files and folders that yarn.lock has for external packages. */
function drawPathsOfExternals(
  drawing: Drawing,
  { lockfile }: LockState,
  reach: Reach,
): void {
  for (const entry of lockfile.entries)
    for (const path of pathsOfEntry(entry.resolution))
      for (const from of reach.reaching([entry]).workspaces.keys())
        drawToPath(drawing, from, "dependencies", path, entry.resolution);
}

/**
 * Yields external packages that depend on an ident that some descriptor resolves to a workspace. `dir` is the folder of the
 * workspace that this dependency resolves to, which is so for portals, and with resolutions for any package; undefined if
 * it resolves to another package.
 */
function* usesByExternals(
  { lockfile, resolver }: LockState,
  redirected: ReadonlySet<string>,
): Generator<{
  readonly entry: LockEntry;
  readonly ident: string;
  readonly dir: string | undefined;
}> {
  for (const entry of lockfile.entries) {
    if (workspaceDirOf(entry.resolution) !== undefined) continue;
    for (const dependency of entry.dependencies) {
      const [ident] = dependency;
      if (!redirected.has(ident)) continue;
      for (const target of resolver.entriesFor(entry.resolution, dependency))
        yield { entry, ident, dir: workspaceDirOf(target.resolution) };
    }
  }
}

/** Returns the idents that a lockfile has for workspaces: their names, and all other idents that resolve to them. */
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

/** Returns the innermost workspace that contains this path, except the root. */
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

/** Ranges that are paths. Yarn treats one that begins with a dot as file:. */
const LOCAL = /^(?:(?:link|portal|file|exec):|\.{1,2}\/)/;

/**
 * Returns the files and folders of the repository in a range of link:, portal:, file: or exec:, and the patches of
 * patch:.
 */
export function pathsIn(range: string, dir: string): string[] {
  if (LOCAL.test(range)) {
    const path = range.replace(/^[a-z]+:/, "").split(/#|::/, 1)[0] ?? "";
    return [resolveFrom(dir, decode(path))];
  }
  if (!range.startsWith("patch:")) return [];
  const hash = range.indexOf("#");
  // The patched package may itself be patched.
  const source = rangeOf(decode(range.slice("patch:".length, hash)));
  const patches = range.slice(hash + 1).split("::", 1)[0] ?? "";
  const files = patches.split("&").flatMap((patch) => {
    const file = decode(patch.replace(/^optional!/, ""));
    if (file.startsWith("builtin<") || file === "") return [];
    return [file.startsWith("~/") ? file.slice(2) : resolveFrom(dir, file)];
  });
  return [...pathsIn(source, dir), ...files];
}

/**
 * Returns the files and folders in a link:, portal:, file: or patch: entry, relative to the locator that it is bound
 * to.
 */
function pathsOfEntry(resolution: string): string[] {
  const range = rangeOf(resolution);
  if (!LOCAL.test(range) && !range.startsWith("patch:")) return [];
  const parent = decode(/[:&]locator=([^&]*)/.exec(range)?.[1] ?? "");
  return pathsIn(
    range,
    workspaceDirOf(parent) ?? pathsOfEntry(parent)[0] ?? ".",
  );
}
