import type { Change } from "@skein/changes";
import type { Fact, TreeFacts } from "@skein/fingerprint";
import { digest } from "@skein/fingerprint/digest";
import { EXTERNALS } from "@skein/known-tools";
import { closuresOf, type LockClosures } from "../lockfile/closures.js";
import { stemOf } from "../paths.js";
import type { Project } from "../project.js";
import type { AffectedSettings, Settings } from "../settings/settings.js";
import { type Effect, openEffects } from "./owned/effects.js";
import { usersOfExternals } from "./dependents/externals.js";
import type { AffectedInput, References } from "./input.js";
import { declaredEdges, withOnward } from "./dependents/onward.js";
import { reasonSpreads } from "./reason.js";
import {
  canonical,
  entryPointsOf,
  kindOfField,
  meaningOfField,
  rangesIn,
} from "./root/root-manifest.js";
import { openCalledRootScripts } from "./root/root-scripts.js";
import { lookupReason, openReaders } from "./unowned/unowned-readers.js";
import {
  openWorld,
  packageAround,
  readersOfField,
  usersOfRootDependencies,
  withRootPeers,
} from "./world.js";
import type { DecisionWorld } from "./world.js";

/** A file of a tree. */
export interface TreeFile {
  /** From the project's root; outside it begins with `../`. */
  readonly path: string;
  /** A key of its mode and content; undefined if the content is unknown. */
  readonly state: string | undefined;
  /** Names of environment variables that the file reads, or may read. */
  readonly variables?: readonly string[];
}

/** A project at one point in time, with all its files. */
export interface TreeInput {
  /** With its lockfile: a stored project has none. */
  readonly project: Project;
  readonly files: Iterable<TreeFile>;
  readonly settings: AffectedSettings;
  /** Undefined means all scripts. */
  readonly script: string | undefined;
  /** As for `decideAffected`. */
  readonly pipeline?: Settings["pipeline"];
  readonly references: References;
}

/**
 * Returns all facts that the results of a script can depend on, by package. It is `decideAffected` for one tree: it asks what
 * each file, field and external package would affect if it changed. Both call the same functions, so the packages whose facts
 * differ between two trees are those that are affected.
 */
export function treeFacts({ project, files, ...rest }: TreeInput): TreeFacts {
  const input: AffectedInput = {
    ...rest,
    base: project,
    head: project,
    changes: [],
    unknown: [],
  };
  const world = openWorld(input);
  const facts = new Facts(project);
  addFiles(files, world, facts);
  addGraph(project, rest.references, facts);
  addRoot(project, world, facts);
  addExternals(project, world, facts);
  const { graph } = project;
  return {
    everything: facts.everything,
    packages: facts.packages,
    edges: withOnward(
      [
        ...declaredEdges(graph.edges, rest.references),
        ...rest.references.edges,
      ].filter(({ to }) => graph.workspaces.has(to)),
    ),
  };
}

/** The facts found so far. */
class Facts {
  readonly everything: Fact[] = [];
  readonly packages: ReadonlyMap<string, { own: Fact[]; spreading: Fact[] }>;

  constructor({ graph }: Project) {
    this.packages = new Map(
      Array.from(graph.workspaces.keys(), (name) => [
        name,
        { own: [], spreading: [] },
      ]),
    );
  }

  add(name: string, spreads: boolean, ...facts: readonly Fact[]): void {
    const lists = this.packages.get(name);
    for (const fact of facts)
      (spreads ? lists?.spreading : lists?.own)?.push(fact);
  }
}

function addFiles(
  files: Iterable<TreeFile>,
  world: DecisionWorld,
  facts: Facts,
): void {
  const effect = openEffects(world);
  for (const { path, state, variables = [] } of files) {
    const found: readonly Fact[] = [
      { kind: "file", name: path, state },
      ...variables.map((name): Fact => ({ kind: "variable", name, state: "" })),
    ];
    const fields = path === "package.json" ? fieldsInUse(world.input) : [];
    if (fields.length > 0) addManifest(fields, found, world, facts);
    else addEffects(effect(modified(path)), found, facts);
  }
}

function modified(path: string): Change {
  return { path, kind: "modified", origin: "committed" };
}

function addEffects(
  effects: readonly Effect[],
  found: readonly Fact[],
  facts: Facts,
): void {
  for (const result of effects)
    if (result.kind === "package") {
      const { name, reason, stem, isUnread } = result;
      const file = {
        ...(stem !== undefined && { stem }),
        ...(isUnread && { isUnread }),
      };
      const those = found.map((fact) => ({ ...fact, ...file }));
      facts.add(name, reasonSpreads(reason), ...those);
    } else if (result.kind === "everything") facts.everything.push(...found);
}

/** Returns the fields of the root's manifest that programs use which use no others. */
function fieldsInUse({ references }: AffectedInput): readonly string[] {
  const users = references?.usersOf("package.json") ?? [];
  return [...new Set(users.flatMap(({ fields = [] }) => fields))];
}

/**
 * Adds the root's manifest for the packages that read all of it, and single fields for those that use only these: it computes what a
 * change of each single field would affect, and a change of none.
 */
function addManifest(
  names: readonly string[],
  found: readonly Fact[],
  { input }: DecisionWorld,
  facts: Facts,
): void {
  const { head } = input;
  const effectsOf = (fields: Project["root"]["fields"]) => {
    const base = { ...head, root: { ...head.root, fields } };
    return openEffects(openWorld({ ...input, base }))(modified("package.json"));
  };
  const whole = effectsOf(head.root.fields);
  addEffects(whole, found, facts);
  for (const name of names) {
    const value = head.root.fields[name];
    const state = canonical(value);
    const all = effectsOf({ ...head.root.fields, [name]: [value] });
    const more = all.filter(
      (each) =>
        each.kind === "package" &&
        !whole.some(
          (known) =>
            known.kind === "package" &&
            known.name === each.name &&
            reasonSpreads(known.reason) === reasonSpreads(each.reason),
        ),
    );
    addEffects(more, [{ kind: "root-field", name, state }], facts);
  }
}

function addGraph(
  { graph, root, packages }: Project,
  references: References,
  facts: Facts,
): void {
  const called = openCalledRootScripts(root.scripts, graph.root);
  const factOf = (script: string) => ({
    kind: "root-script" as const,
    name: script,
    state: root.scripts[script] ?? "",
  });
  for (const script of Object.keys(root.scripts))
    for (const [name] of references.callsOfRootScript(script))
      facts.add(name, true, factOf(script));
  for (const { name, dir } of packages) {
    const outer = packageAround(dir, graph);
    if (outer !== undefined)
      facts.add(outer, true, { kind: "inner-package", name: dir, state: "" });
    if (dir === ".") continue;
    const texts = Object.values(references.scriptsOf(name) ?? {});
    for (const script of new Set(texts.flatMap(called)))
      facts.add(name, true, factOf(script));
  }
}

function addRoot(
  { root, graph, lock }: Project,
  world: DecisionWorld,
  facts: Facts,
): void {
  const { everything } = facts;
  for (const field of Object.keys(root.fields)) {
    if (kindOfField(field) !== "compared") continue;
    const fact = {
      kind: "root-field",
      name: field,
      state: meaningOfField(root, field),
    } as const;
    const readers = readersOfField(field, world);
    if (readers === "everyone") everything.push(fact);
    else
      for (const reader of readers) {
        const reason = lookupReason("package.json", field, reader);
        facts.add(reader.workspace.name, reasonSpreads(reason), fact);
      }
  }
  const add = (name: string, state: string) =>
    everything.push({ kind: "root-field", name, state });
  if (lock) add(".yarnrc.yml", lock.yarnSettingsRest);
  else add("resolutions", JSON.stringify(root.resolutions));
  facts.add(graph.root, false, {
    kind: "root-field",
    name: "package.json",
    state: JSON.stringify(root.fields),
  });
  facts.add(graph.root, true, {
    kind: "root-field",
    name: "entry points",
    state: entryPointsOf(root),
  });
}

const NO_LOCK: LockClosures = {
  workspaces: new Map(),
  externals: new Map(),
  ofRoot: new Map(),
};

function addExternals(
  project: Project,
  world: DecisionWorld,
  facts: Facts,
): void {
  const { packages, root, graph } = project;
  const lock = project.lock
    ? withRootPeers(project.lock, project, world.input)
    : project.npmLock;
  const closures = lock ? closuresOf(lock, packages) : NO_LOCK;
  const closure = (name: string): Fact => ({
    kind: "lockfile",
    name,
    state: closures.workspaces.get(name) ?? "",
  });
  if (lock)
    for (const { name } of packages)
      facts.add(name, true, { ...closure(name), stem: stemOf(EXTERNALS) });
  const users = usersOfRootDependencies(world.input);
  if (users === "root") return;
  if (users === "everything") {
    facts.everything.push(closure(graph.root), {
      kind: "root-field",
      name: "dependencies",
      state: digest(
        Object.entries(root.fields)
          .filter(([field]) => kindOfField(field) === "dependencies")
          .flatMap(([field, value]) => [field, canonical(value)])
          .sort(),
      ),
    });
    return;
  }
  const ranges = rangesIn(root);
  const idents = new Set([...ranges.keys(), ...closures.externals.keys()]);
  // A peer may have any version; any other use finds the root's version, if the root declares the package.
  const stateOf = (ident: string, isPeer: boolean) =>
    digest([
      (isPeer ? undefined : closures.ofRoot.get(ident)) ??
        closures.externals.get(ident) ??
        "",
      ranges.get(ident) ?? "",
    ]);
  const all = new Map(
    Array.from(idents, (ident) => [ident, { before: [], after: ident }]),
  );
  const used = usersOfExternals(all, all, {
    ...world,
    readersOf: openReaders(world),
  });
  const seen = new Set<string>();
  for (const [name, reason] of used) {
    if (reason.kind !== "external") continue;
    const ident = reason.change.after;
    const spreads = reasonSpreads(reason);
    const state = stateOf(ident, reason.use.kind === "peer");
    const word = `${name}\n${spreads}\n${ident}\n${state}`;
    if (seen.has(word)) continue;
    seen.add(word);
    facts.add(name, spreads, { kind: "external", name: ident, state });
  }
}
