import type { Edge, WorkspaceGraph } from "../graph.js";
import { compareLockfiles } from "../lockfile/compare.js";
import type { LockChange } from "../lockfile/compare.js";
import type { Project } from "../project.js";
import { openEffects } from "./effects.js";
import type { AffectedInput } from "./input.js";
import { compareRootManifests } from "./root-manifest.js";
import { callersOfChangedScripts } from "./root-scripts.js";
import { reasonSpreads } from "./reason.js";
import type { EverythingReason, NoEffect, Reason } from "./reason.js";

/** A package whose scripts must run, and every reason. */
export interface AffectedPackage {
  readonly name: string;
  readonly dir: string;
  /** Its own reasons first, then the packages that it depends on. Never empty. */
  readonly reasons: readonly Reason[];
}

/** The answer. */
export interface Affected {
  /** By name, in order of folder; the root among them where it is affected. */
  readonly packages: ReadonlyMap<string, AffectedPackage>;
  /** Why everything is affected; empty where it is not. */
  readonly everything: readonly EverythingReason[];
  /** Changed files that affect nothing, and why. */
  readonly noEffect: readonly {
    readonly path: string;
    readonly why: NoEffect;
  }[];
}

/**
 * Decides which packages a change affects. Pure; linear in packages, edges and changes.
 *
 * Seeds are packages whose files, manifest or external closure changed, new packages, and dependents of removed ones;
 * from them it follows the edges of head (and of base where a package is gone) to every dependent.
 */
export function decideAffected(input: AffectedInput): Affected {
  const { base, head, settings } = input;
  const effect = openEffects(input);
  const seeds = new Map<string, Reason[]>();
  const spreading = new Set<string>();
  const everything: EverythingReason[] = input.unknown.map(({ detail }) => ({
    kind: "unknown",
    detail,
  }));
  const noEffect: { path: string; why: NoEffect }[] = [];
  const seed = (
    name: string,
    reason: Reason,
    spreads = reasonSpreads(reason),
  ) => {
    if (!head.graph.workspaces.has(name)) return;
    push(seeds, name, reason);
    if (spreads) spreading.add(name);
  };

  for (const change of input.changes) {
    for (const result of effect(change)) {
      if (result.kind === "package") seed(result.name, result.reason);
      else if (result.kind === "everything") everything.push(result.reason);
      else noEffect.push({ path: result.path, why: result.why });
    }
  }
  if (base && base !== head) {
    for (const { name } of head.packages)
      if (!base.graph.workspaces.has(name)) seed(name, { kind: "new-package" });
    for (const [name, reason] of [
      ...newBorders(base, head, "added"),
      ...newBorders(head, base, "deleted"),
      ...callersOfChangedScripts(base, head),
    ])
      seed(name, reason);
    for (const { from, to, evidence } of edgesToRemoved(
      base.graph,
      head.graph,
    )) {
      seed(from, { kind: "removed-dependency", on: to, evidence });
    }
    for (const edge of input.references?.edges ?? []) {
      const { from, to, evidence } = edge;
      if (!head.graph.workspaces.has(to))
        seed(from, {
          kind: "removed-dependency",
          on: to,
          evidence,
          ...onlyTests(edge),
        });
    }
    for (const [name, change] of lockChanges(base, head)) {
      if (name !== head.graph.root) seed(name, { kind: "lockfile", change });
      else if (settings.rootDependencies === "everything")
        everything.push({ kind: "root-dependencies", change });
      else seed(name, { kind: "lockfile", change });
    }
    const root = compareRootManifests(base.root, head.root);
    for (const field of root.globalFields)
      everything.push({ kind: "root-manifest", field });
    const resolutions = ({ root }: Project) => JSON.stringify(root.resolutions);
    // What they make of it, only yarn.lock says.
    if (!(base.lock && head.lock) && resolutions(base) !== resolutions(head))
      everything.push({ kind: "root-manifest", field: "resolutions" });
    if (
      root.globalFields.length === 0 &&
      JSON.stringify(base.root.fields) !== JSON.stringify(head.root.fields)
    ) {
      seed(
        head.graph.root,
        { kind: "file", path: "package.json", change: "modified" },
        false,
      );
    }
    if (root.dependencies && settings.rootDependencies === "everything") {
      everything.push({ kind: "root-dependencies", change: undefined });
    }
    if (
      (base.lock?.yarnSettingsRest ?? "") !==
      (head.lock?.yarnSettingsRest ?? "")
    ) {
      everything.push({
        kind: "global-file",
        path: ".yarnrc.yml",
        role: "Yarn's settings",
      });
    }
  }
  if (everything.length > 0)
    for (const name of head.graph.workspaces.keys())
      for (const reason of everything) seed(name, reason);

  const dependencies = spread(
    spreading,
    head.graph,
    input.references?.edges ?? [],
  );
  const packages = new Map<string, AffectedPackage>();
  for (const { name, dir } of head.graph.workspaces.values()) {
    const reasons = [
      ...(seeds.get(name) ?? []),
      ...(dependencies.get(name) ?? []),
    ];
    if (reasons.length > 0) packages.set(name, { name, dir, reasons });
  }
  return { packages, everything, noEffect };
}

function onlyTests({ testOnly }: Edge) {
  return testOnly === true && { testOnly };
}

/**
 * Breadth first from the seeds along the edges, against their direction; an edge that only tests make leads no further.
 * @returns for each dependent all its reasons
 */
function spread(
  seeds: Iterable<string>,
  graph: WorkspaceGraph,
  more: readonly Edge[],
): Map<string, Reason[]> {
  const byTarget = new Map<string, Edge[]>();
  for (const edge of more) push(byTarget, edge.to, edge);
  const reached = new Map<string, Reason[]>();
  const visited = new Set(seeds);
  for (const name of visited) {
    const edges = [...graph.dependentsOf(name), ...(byTarget.get(name) ?? [])];
    for (const edge of edges) {
      const { from, kind, evidence } = edge;
      push(reached, from, {
        kind: "dependency",
        on: name,
        edge: kind,
        evidence,
        ...onlyTests(edge),
      });
      // A set hands out what is added while it is walked.
      if (!edge.testOnly) visited.add(from);
    }
  }
  return reached;
}

/**
 * Packages (the root aside) whose folder gained or lost a package inside it: the files in there changed hands, or are
 * read by another package.json now, without any of them being changed.
 */
function newBorders(
  without: Project,
  having: Project,
  change: "added" | "deleted",
): (readonly [name: string, reason: Reason])[] {
  const known = new Set(without.packages.map(({ dir }) => dir));
  return having.packages.flatMap(({ dir }) => {
    const outer = known.has(dir) ? undefined : without.graph.ownerOf(dir);
    return outer && outer.dir !== "."
      ? [[outer.name, { kind: "file", path: `${dir}/package.json`, change }]]
      : [];
  });
}

/** Edges of base whose target is gone at head. */
function edgesToRemoved(base: WorkspaceGraph, head: WorkspaceGraph): Edge[] {
  const removed = [...base.workspaces.keys()].filter(
    (name) => !head.workspaces.has(name),
  );
  return removed.flatMap((name) => base.dependentsOf(name));
}

function lockChanges(
  base: Project,
  head: Project,
): ReadonlyMap<string, LockChange> {
  if (!base.lock || !head.lock) return new Map();
  return compareLockfiles(base.lock, head.lock, head.packages);
}

function push<Key, Value>(
  index: Map<Key, Value[]>,
  key: Key,
  value: Value,
): void {
  const list = index.get(key);
  if (list) list.push(value);
  else index.set(key, [value]);
}
