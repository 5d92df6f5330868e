import { createHash } from "node:crypto";
import type { UnitId } from "@skein/runner";
import type { UnitTrace } from "../unit-trace.js";

/**
 * The state of a name: a file with the id of its content and whether it is executable, a symlink with its target, or a
 * folder.
 */
export type Entry =
  | `file ${string}`
  | `program ${string}`
  | `link ${string}`
  | "folder";

/**
 * The state of the project that evidence depends on, at one moment. A port; paths are relative to the project's root.
 */
export interface EvidenceWorld {
  /** Returns undefined if the name doesn't exist. */
  entry(path: string): Entry | undefined;
  /** Returns the sorted names in a folder of sources and of folders with sources. */
  names(folder: string): readonly string[];
  /** Returns the sorted full text of all entries in yarn.lock for packages of this name; of all packages for `*`. */
  locked(name: string): readonly string[];
  /** Returns the names of the environment variables that a source names. */
  variables(path: string): readonly string[];
  /** Returns a hash of the values of variables; undefined if some have another value in each run. */
  values(variables: readonly string[]): string | undefined;
  /** Returns the command of a unit and the units that it waits for; undefined if the unit doesn't exist. */
  unit(id: UnitId): UnitFacts | undefined;
  /** Node's version, the system, and the contents of settings that affect every script. */
  readonly surroundings: string;
}

/**
 * Folders of installed packages in which tools keep only caches: `find-cache-dir` and AVA (`.cache`), Vite and Vitest
 * (`.vite`, `.vite-temp`). The recorded run found none, as in a fresh checkout. A cache doesn't change what a script does,
 * so it need not be missing again. If a run uses one, its trace is incomplete.
 */
const TOOL_CACHE = /(?:^|\/)node_modules\/\.(?:cache|vite|vite-temp)(?:\/|$)/;

export interface UnitFacts {
  readonly command: string;
  /** The package's version, or "" without one. The runner passes it to scripts. */
  readonly version: string;
  /** Only units that have a command. In place of others, it has the units that those wait for. */
  readonly dependsOn: readonly UnitId[];
}

/**
 * The observations of a unit that passed: everything by which the unit could distinguish this state from another one.
 */
export interface Evidence {
  readonly unit: UnitId;
  readonly facts: UnitFacts;
  readonly surroundings: string;
  /** The state of each name that it read, executed, followed or looked up. */
  readonly entries: Readonly<Record<string, Entry>>;
  /** Names that didn't exist. */
  readonly missing: readonly string[];
  /** A hash of the names in each folder that it listed. */
  readonly folders: Readonly<Record<string, string>>;
  /** A hash of the entries in yarn.lock for each package that it used or looked for. */
  readonly externals: Readonly<Record<string, string>>;
  /** The environment variables that it may have read, and a hash of their values. */
  readonly variables: readonly string[];
  readonly values: string;
  /**
   * A hash of the evidence of each unit that it waits for. It used files that these had made, so it proves nothing
   * about files that they made in another state.
   */
  readonly makers: Readonly<Record<UnitId, string>>;
}

/**
 * Makes the evidence of a run from its traces, in the state in which the units ran. Pure. A trace proves nothing if the
 * script failed, if it is incomplete, or if a unit that it waits for has no evidence.
 * @param traces in the order of the plan, so that a unit comes after those that it waits for
 */
export function makeEvidence(
  traces: readonly UnitTrace[],
  world: EvidenceWorld,
): Evidence[] {
  const made = new Map<UnitId, Evidence>();
  for (const trace of traces) {
    const evidence = evidenceOf(trace, made, world);
    if (evidence) made.set(trace.unit, evidence);
  }
  return [...made.values()];
}

function evidenceOf(
  trace: UnitTrace,
  made: ReadonlyMap<UnitId, Evidence>,
  world: EvidenceWorld,
): Evidence | undefined {
  const facts = world.unit(trace.unit);
  if (!trace.passed || trace.gaps.length > 0 || !facts) return undefined;
  const { read, executed, links, found, listed, missing } = trace;
  const entries = new Map<string, Entry>();
  for (const path of [...read, ...executed, ...links, ...found].sort()) {
    const entry = world.entry(path);
    // The name existed and is gone, so another process changed the files during the run.
    if (entry === undefined) return undefined;
    entries.set(path, entry);
  }
  const makers = new Map<UnitId, string>();
  for (const id of facts.dependsOn) {
    const maker = made.get(id);
    if (!maker) return undefined;
    makers.set(id, digestOf(maker));
  }
  const externals = [
    // Its entry lists what is installed for it, such as the programs that its commands find.
    trace.workspace,
    ...trace.externals.map(({ name }) => name),
    ...trace.linked,
    ...trace.notInstalled,
    ...(trace.listsInstalled ? ["*"] : []),
  ];
  const variables = [
    ...new Set([...read, ...executed].flatMap((path) => world.variables(path))),
  ].sort();
  const values = world.values(variables);
  if (values === undefined) return undefined;
  return {
    unit: trace.unit,
    facts,
    surroundings: world.surroundings,
    entries: Object.fromEntries(entries),
    missing: [...missing].filter((path) => !TOOL_CACHE.test(path)).sort(),
    folders: hashes(listed, (folder) => world.names(folder)),
    externals: hashes(externals, (name) => world.locked(name)),
    ...{ variables, values },
    makers: Object.fromEntries(makers),
  };
}

/** Returns a hash of all members of evidence. */
function digestOf(evidence: Evidence): string {
  const { unit, facts, surroundings, entries, missing } = evidence;
  const { folders, externals, variables, values, makers } = evidence;
  return hash([
    ...[unit, JSON.stringify(facts), surroundings, values],
    ...[JSON.stringify([missing, variables])],
    ...[entries, folders, externals, makers].map((record) =>
      JSON.stringify(Object.entries(record)),
    ),
  ]);
}

function hashes(
  keys: readonly string[],
  valuesOf: (key: string) => readonly string[],
): Record<string, string> {
  return Object.fromEntries(
    [...new Set(keys)].sort().map((key) => [key, hash(valuesOf(key))]),
  );
}

/**
 * Returns a hash that is long enough to exclude accidental collisions. Anyone who can write the store can write the
 * program too, so it need not withstand attacks.
 */
function hash(values: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(values))
    .digest("base64url")
    .slice(0, 22);
}

/** Why evidence doesn't hold. */
export type Mismatch =
  | { readonly kind: "no-evidence"; readonly unit: UnitId }
  | {
      readonly kind: "unit" | "surroundings" | "variables";
      readonly unit: UnitId;
    }
  | {
      readonly kind: "entry" | "missing" | "folder" | "external";
      readonly unit: UnitId;
      /** The path, or the package's name. */
      readonly name: string;
    };

/**
 * Verifies that a unit would pass again, because everything that its passing run could see is unchanged. A
 * deterministic script reads its first input, which is the same. So it behaves the same until its second input, which
 * is the same too, and so on to its end. Pure.
 * @param evidenceOf the evidence of each unit
 * @param world the project now
 * @returns the first difference; undefined if there is none
 */
export function verify(
  unit: UnitId,
  evidenceOf: (unit: UnitId) => Evidence | undefined,
  world: EvidenceWorld,
): Mismatch | undefined {
  const seen = new Set([unit]);
  // A loop over a set also visits elements that are added during the loop.
  for (const id of seen) {
    const evidence = evidenceOf(id);
    if (!evidence) return { kind: "no-evidence", unit: id };
    const mismatch = verifyOne(evidence, world);
    if (mismatch) return mismatch;
    for (const [name, digest] of Object.entries(evidence.makers)) {
      const maker = evidenceOf(name);
      // It ran again since, in another state. The files that this unit used are not those that it makes now.
      if (!maker || digestOf(maker) !== digest)
        return { kind: "no-evidence", unit: name };
      seen.add(name);
    }
  }
  return undefined;
}

function verifyOne(
  evidence: Evidence,
  world: EvidenceWorld,
): Mismatch | undefined {
  const { unit, facts, surroundings, entries, missing } = evidence;
  if (JSON.stringify(world.unit(unit)) !== JSON.stringify(facts))
    return { kind: "unit", unit };
  if (world.surroundings !== surroundings)
    return { kind: "surroundings", unit };
  for (const [name, entry] of Object.entries(entries))
    if (world.entry(name) !== entry) return { kind: "entry", unit, name };
  for (const name of missing)
    if (world.entry(name) !== undefined) return { kind: "missing", unit, name };
  for (const [name, id] of Object.entries(evidence.folders))
    if (hash(world.names(name)) !== id) return { kind: "folder", unit, name };
  for (const [name, id] of Object.entries(evidence.externals))
    if (hash(world.locked(name)) !== id)
      return { kind: "external", unit, name };
  if (world.values(evidence.variables) !== evidence.values)
    return { kind: "variables", unit };
  return undefined;
}
