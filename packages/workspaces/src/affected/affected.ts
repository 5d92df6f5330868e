import { EXTERNALS } from "@skein/known-tools";
import type { ReadFile } from "@skein/fingerprint";
import { addTo } from "@skein/reporting/group-by";
import type { Edge, WorkspaceGraph } from "../graph.js";
import { countsBesideSources } from "../make-graph.js";
import { compareLockfiles, NPM_LOCK } from "../lockfile/compare.js";
import type { LockComparison } from "../lockfile/compare.js";
import { stemOf } from "../paths.js";
import type { Project } from "../project.js";
import { openEffects } from "./owned/effects.js";
import type { Effect } from "./owned/effects.js";
import { usersOfExternals } from "./dependents/externals.js";
import type { AffectedInput } from "./input.js";
import {
  changedRanges,
  compareRootManifests,
  entryPointsOf,
} from "./root/root-manifest.js";
import { callersOfChangedScripts } from "./root/root-scripts.js";
import { certainFirst, reasonSpreads } from "./reason.js";
import type { EverythingReason, NoEffect, Reason } from "./reason.js";
import { onlyTests, spread } from "./dependents/spread.js";
import { lookupReason, openReaders } from "./unowned/unowned-readers.js";
import {
  openWorld,
  packageAround,
  readersOfField,
  usersOfRootDependencies,
  withRootPeers,
} from "./world.js";
import type { DecisionWorld } from "./world.js";

/** A package whose scripts must run, with all reasons. */
export interface AffectedPackage {
  readonly name: string;
  readonly dir: string;
  /** Certain reasons before guesses; of each, its own before the packages that it depends on. Never empty. */
  readonly reasons: readonly Reason[];
}

/** The result of a selection. */
export interface Affected {
  /** By name, sorted by folder; including the root if it is affected. */
  readonly packages: ReadonlyMap<string, AffectedPackage>;
  /** The reasons why everything is affected; empty if it isn't. */
  readonly everything: readonly EverythingReason[];
  /** Changed files that affect nothing, with their reasons. */
  readonly noEffect: readonly {
    readonly path: string;
    readonly why: NoEffect;
  }[];
}

/**
 * Decides which packages a change affects. The result depends only on the input; the time is linear in packages, edges and
 * changes.
 *
 * Seeds are packages whose files, manifest or external closure changed, packages whose units read a changed file that no
 * package owns, new packages, and dependents of removed packages. From them, it follows the edges of the head (and of the
 * base if a package was removed) to every dependent.
 */
export function decideAffected(input: AffectedInput): Affected {
  const steps = decisionSteps(input);
  for (let step = steps.next(); ; step = steps.next())
    if (step.done === true) return step.value;
}

/** Decides the same, with a pause after each changed file: a caller can end a decision about thousands of them early. */
export function* decisionSteps(
  input: AffectedInput,
): Generator<void, Affected, void> {
  const world = openWorld(input);
  const found = new Findings(input);
  const effect = openEffects(world);
  for (const change of input.changes) {
    for (const result of effect(change)) found.add(result);
    yield;
  }
  // If the content of a file could lead from a package to a change, a change of that file affects the package, too.
  for (const path of input.changes.length > 0 ? unreadable(input) : [])
    for (const result of effect({ path, ...UNREADABLE }))
      if (result.kind !== "nothing") found.add(asUnreadable(result));
  const { base, head } = input;
  if (base && base !== head) {
    seedGraph(base, input, found);
    seedRoot(base, world, found);
    seedExternals(base, world, found);
  }
  return found.spread();
}

/** An unreadable file counts as if both its ends were there. */
const UNREADABLE = { kind: "modified", origin: "committed" } as const;

function unreadable({ references }: AffectedInput): readonly string[] {
  return references?.unreadable ?? [];
}

function asUnreadable(effect: Effect): Effect {
  if (effect.kind !== "package" || !("change" in effect.reason)) return effect;
  const { kind } = effect.reason;
  return kind === "file" || kind === "test-file"
    ? { ...effect, reason: { ...effect.reason, change: "unreadable" } }
    : effect;
}

/** The results so far: seeds with their reasons, and changes that concern all packages or none. */
class Findings {
  readonly everything: EverythingReason[];
  readonly noEffect: { path: string; why: NoEffect }[] = [];
  readonly #input: AffectedInput;
  readonly #seeds = new Map<string, Reason[]>();
  readonly #spreading = new Map<string, ReadFile[]>();

  constructor(input: AffectedInput) {
    this.#input = input;
    this.everything = input.unknown.map(({ detail }) => ({
      kind: "unknown",
      detail,
    }));
  }

  /** Adds an effect of a file. */
  add(effect: Effect): void {
    if (effect.kind === "package")
      this.seed(effect.name, effect.reason, effect);
    else if (effect.kind === "everything") this.everything.push(effect.reason);
    else this.noEffect.push({ path: effect.path, why: effect.why });
  }

  /** @param file the only one that changes for dependents; without a stem if more may change */
  seed(name: string, reason: Reason, file: ReadFile = {}): void {
    if (!this.#input.head.graph.workspaces.has(name)) return;
    this.seedAlone(name, reason);
    if (reasonSpreads(reason)) addTo(this.#spreading, name, file);
  }

  /** Adds a reason that doesn't matter to dependents. Several ways from one line to a file give equal reasons in turn. */
  seedAlone(name: string, reason: Reason): void {
    const last = this.#seeds.get(name)?.at(-1);
    const isRepeated =
      reason.kind === "referenced-file" &&
      last?.kind === "referenced-file" &&
      last.path === reason.path &&
      JSON.stringify(last) === JSON.stringify(reason);
    if (!isRepeated && this.#input.head.graph.workspaces.has(name))
      addTo(this.#seeds, name, reason);
  }

  /** Follows the edges from the seeds to every dependent. */
  spread(): Affected {
    const { everything, noEffect } = this;
    const { head, references } = this.#input;
    for (const name of everything.length > 0
      ? head.graph.workspaces.keys()
      : [])
      for (const reason of everything) this.seed(name, reason);
    const dependencies = spread(this.#spreading, head.graph, references);
    const found = new Map(this.#seeds);
    for (const [name, reasons] of dependencies)
      found.set(name, [...(found.get(name) ?? []), ...reasons]);
    const sorted = certainFirst(found);
    const packages = new Map<string, AffectedPackage>();
    for (const { name, dir } of head.graph.workspaces.values()) {
      const reasons = sorted.get(name);
      if (reasons) packages.set(name, { name, dir, reasons });
    }
    return { packages, everything, noEffect };
  }
}

/** Seeds packages that were added, dependents of those that were removed, and callers of the root's scripts. */
function seedGraph(base: Project, input: AffectedInput, found: Findings): void {
  const { head, references } = input;
  for (const { name } of head.packages)
    if (!base.graph.workspaces.has(name))
      found.seed(name, { kind: "new-package" });
  for (const [name, reason] of [
    ...newBorders(base, head, "added"),
    ...newBorders(head, base, "deleted"),
    ...callersOfChangedScripts(base, head, references),
  ])
    found.seed(name, reason);
  for (const edge of edgesToRemoved(base.graph, head.graph)) {
    const { from, to, evidence } = edge;
    if (references && !countsBesideSources(edge)) continue;
    found.seed(from, { kind: "removed-dependency", on: to, evidence });
  }
  for (const edge of references?.edges ?? []) {
    const { from, to, evidence } = edge;
    if (head.graph.workspaces.has(to)) continue;
    found.seed(from, {
      kind: "removed-dependency",
      on: to,
      evidence,
      ...onlyTests(edge),
    });
  }
}

/** Seeds the packages that changes of the root's package.json and .yarnrc.yml concern, field by field. */
function seedRoot(base: Project, world: DecisionWorld, found: Findings): void {
  const { head } = world.input;
  const { fields } = compareRootManifests(base.root, head.root);
  for (const field of fields) {
    const readers = readersOfField(field, world);
    if (readers === "everyone")
      found.everything.push({ kind: "root-manifest", field });
    else
      for (const reader of readers)
        found.seed(
          reader.workspace.name,
          lookupReason("package.json", `"${field}"`, reader),
        );
  }
  const resolutions = ({ root }: Project) => JSON.stringify(root.resolutions);
  // Only yarn.lock shows the effect of resolutions.
  if (!(base.lock && head.lock) && resolutions(base) !== resolutions(head))
    found.everything.push({ kind: "root-manifest", field: "resolutions" });
  const isSame =
    JSON.stringify(base.root.fields) === JSON.stringify(head.root.fields);
  const reason = {
    kind: "file",
    path: "package.json",
    change: "modified",
  } as const;
  if (entryPointsOf(base.root) !== entryPointsOf(head.root))
    found.seed(head.graph.root, reason);
  else if (!isSame) found.seedAlone(head.graph.root, reason);
  if (
    (base.lock?.yarnSettingsRest ?? "") !== (head.lock?.yarnSettingsRest ?? "")
  )
    found.everything.push({
      kind: "global-file",
      path: ".yarnrc.yml",
      role: "Yarn's settings",
    });
}

/** Seeds packages that get other external packages than before, through their own dependencies or the root's. */
function seedExternals(
  base: Project,
  world: DecisionWorld,
  found: Findings,
): void {
  const { head } = world.input;
  const {
    workspaces,
    externals,
    ofRoot: own,
  } = compareLocks(base, head, world.input);
  for (const [name, change] of workspaces)
    found.seed(
      name,
      { kind: "lockfile", change },
      {
        stem: stemOf(EXTERNALS),
      },
    );
  const ofRoot = workspaces.get(head.graph.root);
  const { dependencies } = compareRootManifests(base.root, head.root);
  const users = usersOfRootDependencies(world.input);
  if (users === "root") return;
  if (users === "everything") {
    if (ofRoot || dependencies)
      found.everything.push({ kind: "root-dependencies", change: ofRoot });
    return;
  }
  const ranges = changedRanges(base.root, head.root);
  const used = usersOfExternals(
    new Map([...ranges, ...externals]),
    new Map([...ranges, ...own]),
    { ...world, readersOf: openReaders(world) },
  );
  for (const [name, reason] of used) found.seed(name, reason);
}

function compareLocks(
  base: Project,
  head: Project,
  input: AffectedInput,
): LockComparison {
  if (base.lock && head.lock)
    return base.lock === head.lock
      ? compareLockfiles(base.lock, head.lock, head.packages)
      : compareLockfiles(
          withRootPeers(base.lock, base, input),
          withRootPeers(head.lock, head, input),
          head.packages,
        );
  if (!base.npmLock || !head.npmLock)
    return { workspaces: new Map(), externals: new Map(), ofRoot: new Map() };
  const found = compareLockfiles(base.npmLock, head.npmLock, head.packages);
  return {
    workspaces: fromNpmLock(found.workspaces),
    externals: fromNpmLock(found.externals),
    ofRoot: fromNpmLock(found.ofRoot),
  };
}

function fromNpmLock(
  changes: LockComparison["externals"],
): LockComparison["externals"] {
  return new Map(
    Array.from(changes, ([name, change]) => [
      name,
      { ...change, file: NPM_LOCK },
    ]),
  );
}

/**
 * Returns packages (except the root) in whose folder a package was added or removed: the files in it have another owner, or
 * are read with another package.json, although none of them changed.
 */
function newBorders(
  without: Project,
  having: Project,
  change: "added" | "deleted",
): (readonly [name: string, reason: Reason])[] {
  const known = new Set(without.packages.map(({ dir }) => dir));
  return having.packages.flatMap(({ dir }) => {
    const outer = known.has(dir)
      ? undefined
      : packageAround(dir, without.graph);
    return outer !== undefined
      ? [[outer, { kind: "file", path: `${dir}/package.json`, change }]]
      : [];
  });
}

/** Returns edges of the base whose target doesn't exist at the head. */
function edgesToRemoved(base: WorkspaceGraph, head: WorkspaceGraph): Edge[] {
  const removed = [...base.workspaces.keys()].filter(
    (name) => !head.workspaces.has(name),
  );
  return removed.flatMap((name) => base.dependentsOf(name));
}
