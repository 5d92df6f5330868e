import { createHash } from "node:crypto";
import type { UnitId } from "@skein/runner";
import type { UnitTrace } from "../unit-trace.js";

/**
 * The state of a name: a file with the id of its content and whether it is executable, a symlink with its target, or a
 * folder.
 */
export type Entry =
  `file ${string}` | `program ${string}` | `link ${string}` | "folder";

/**
 * The state of the project that evidence depends on, at one moment. A port; paths are relative to the project's root.
 */
export interface EvidenceWorld {
  /** Returns undefined if the name doesn't exist. */
  entry(path: string): Entry | undefined;
  /** Returns the sorted names in a folder of sources and of folders with sources. */
  names(folder: string): readonly string[];
  /** Returns the sorted full text of all entries in yarn.lock for packages of this name. */
  locked(name: string): readonly string[];
  /** Returns the command of a unit and the units that it waits for; undefined if the unit doesn't exist. */
  unit(id: UnitId): UnitFacts | undefined;
  /** Node's version, the system, and the contents of settings that affect every script. */
  readonly surroundings: string;
}

export interface UnitFacts {
  readonly command: string;
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
  /** The units that made files it used. Their evidence must hold too. */
  readonly makers: readonly UnitId[];
}

/**
 * Makes evidence from a trace, in the state in which the unit ran. Pure.
 * @returns undefined for a trace that proves nothing, because the script failed or the trace is incomplete
 */
export function makeEvidence(
  trace: UnitTrace,
  world: EvidenceWorld,
): Evidence | undefined {
  const facts = world.unit(trace.unit);
  if (!trace.passed || trace.gaps.length > 0 || !facts) return undefined;
  const { read, executed, links, found, listed, missing } = trace;
  const entries: Record<string, Entry> = {};
  for (const path of [...read, ...executed, ...links, ...found]) {
    const entry = world.entry(path);
    // The name existed and is gone, so another process changed the files meanwhile.
    if (entry === undefined) return undefined;
    entries[path] = entry;
  }
  const externals = [
    ...trace.externals.map(({ name }) => name),
    ...trace.linked,
    ...trace.notInstalled,
  ];
  return {
    unit: trace.unit,
    facts,
    surroundings: world.surroundings,
    entries,
    missing,
    folders: hashes(listed, (folder) => world.names(folder)),
    externals: hashes(externals, (name) => world.locked(name)),
    makers: [
      ...new Set(trace.generated.flatMap(({ madeBy }) => madeBy ?? [])),
    ].sort(),
  };
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
      readonly kind: "unit" | "surroundings";
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
  // Iteration over a set includes elements that are added meanwhile.
  for (const id of seen) {
    const evidence = evidenceOf(id);
    if (!evidence) return { kind: "no-evidence", unit: id };
    const mismatch = verifyOne(evidence, world);
    if (mismatch) return mismatch;
    for (const maker of evidence.makers) seen.add(maker);
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
  return undefined;
}
