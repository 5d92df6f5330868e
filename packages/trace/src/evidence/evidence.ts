import { createHash } from "node:crypto";
import type { UnitId } from "@skein/runner";
import type { UnitTrace } from "../unit-trace.js";

/** What has a name: a file with the id of its content and whether it can be executed, a symlink with its target, a folder. */
export type Entry =
  `file ${string}` | `program ${string}` | `link ${string}` | "folder";

/** The project at one moment, as far as evidence asks. A port; paths are from the project's root. */
export interface EvidenceWorld {
  /** Undefined where nothing has the name. */
  entry(path: string): Entry | undefined;
  /** Names of sources and of folders with sources, in one folder; sorted. */
  names(folder: string): readonly string[];
  /** Every entry of yarn.lock for a package of this name, whole; sorted. */
  locked(name: string): readonly string[];
  /** What a unit runs: its command, and the units that it waits for; undefined where there is no such unit. */
  unit(id: UnitId): UnitFacts | undefined;
  /** Node's version, the system, and the contents of settings that every script sees. */
  readonly surroundings: string;
}

export interface UnitFacts {
  readonly command: string;
  readonly dependsOn: readonly UnitId[];
}

/** What held when a unit passed, with everything that the unit could tell it from another world by. */
export interface Evidence {
  readonly unit: UnitId;
  readonly facts: UnitFacts;
  readonly surroundings: string;
  /** What had each name that it read, executed, followed or looked for. */
  readonly entries: Readonly<Record<string, Entry>>;
  /** Names that nothing had. */
  readonly missing: readonly string[];
  /** A hash of the names in each folder that it listed. */
  readonly folders: Readonly<Record<string, string>>;
  /** A hash of the entries in yarn.lock for each package that it used, or looked for. */
  readonly externals: Readonly<Record<string, string>>;
  /** Units that made what it used: their evidence must hold too. */
  readonly makers: readonly UnitId[];
}

/**
 * Makes evidence of a trace, in the world that the unit ran in. Pure.
 * @returns undefined for a trace that proves nothing: the script failed, or the trace is incomplete
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
    // It was there, and is gone: somebody else was at work.
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

/** As short as is safe against chance; whoever can write the store can write the program. */
function hash(values: readonly string[]): string {
  return createHash("sha256")
    .update(JSON.stringify(values))
    .digest("base64url")
    .slice(0, 22);
}

/** Why evidence does not hold. */
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
 * Verifies that a unit would pass again: everything that its passing run could see is as it was. A deterministic script
 * reads its first input, which is the same; so it does the same until its second, which is the same too; and so on to its
 * end. Pure.
 * @param evidenceOf what is known of each unit
 * @param world the project now
 * @returns the first thing that differs; undefined where nothing does
 */
export function verify(
  unit: UnitId,
  evidenceOf: (unit: UnitId) => Evidence | undefined,
  world: EvidenceWorld,
): Mismatch | undefined {
  const seen = new Set([unit]);
  // A set hands out what is added while it is walked.
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
