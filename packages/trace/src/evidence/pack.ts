import * as json from "@skein/reporting/json";
import type { Entry, Evidence } from "./evidence.js";

/** Raised if the form or the meaning of evidence changes. Evidence of other versions is ignored. */
const VERSION = 2;

type PackedUnit = json.TypeOf<typeof packedUnit>;
const packedUnit = json.object({
  unit: json.text,
  facts: json.object({
    command: json.text,
    version: json.text,
    dependsOn: json.list(json.text),
  }),
  surroundings: json.text,
  variables: json.list(json.text),
  values: json.text,
  makers: json.byName(json.text),
  /** The indices of its observations in the table, as differences. */
  seen: json.list(json.number),
});

/**
 * The evidence of many units as JSON. Most units see the same files, so the observations are in one table, sorted and
 * each once. A unit has the indices of its observations as differences, which compress well.
 */
export type PackedEvidence = json.TypeOf<typeof packedEvidence>;
const packedEvidence = json.object({
  version: json.version(VERSION),
  /** A name, a NUL, and what was observed: a state, a hash after a mark, or nothing for a missing name. */
  table: json.list(json.text),
  units: json.list(packedUnit),
});

/** Marks of the observations that aren't the state of a name. */
const FOLDER = "/";
const EXTERNAL = "@";

/** Packs evidence. Pure. */
export function packEvidence(evidence: readonly Evidence[]): PackedEvidence {
  const rows = evidence.map((each) => rowsOf(each));
  const table = [...new Set(rows.flat())].sort();
  const indices = new Map(table.map((row, index) => [row, index]));
  return {
    version: VERSION,
    table,
    units: evidence.map((each, at) => {
      const { unit, facts, surroundings, variables, values, makers } = each;
      const seen = (rows[at] ?? [])
        .map((row) => indices.get(row) ?? 0)
        .sort((a, b) => a - b);
      return {
        ...{ unit, facts, surroundings, variables, values, makers },
        seen: seen.map((index, i) => index - (seen[i - 1] ?? 0)),
      };
    }),
  };
}

function rowsOf({ entries, missing, folders, externals }: Evidence): string[] {
  const row = (name: string, observed: string) => `${name}\0${observed}`;
  return [
    ...Object.entries(entries).map(([name, entry]) => row(name, entry)),
    ...missing.map((name) => row(name, "")),
    ...Object.entries(folders).map(([name, id]) => row(name, FOLDER + id)),
    ...Object.entries(externals).map(([name, id]) => row(name, EXTERNAL + id)),
  ];
}

/**
 * Unpacks evidence. Pure.
 * @returns no evidence for another version
 * @throws {Malformed} if it isn't packed evidence
 */
export function unpackEvidence(value: unknown): readonly Evidence[] {
  const { version } = json.object({ version: json.number })(value, "evidence");
  if (version !== VERSION) return [];
  const { table, units } = packedEvidence(value, "evidence");
  return units.map((unit) => unpackUnit(unit, table));
}

function unpackUnit(
  { seen, ...unit }: PackedUnit,
  table: readonly string[],
): Evidence {
  const entries: (readonly [string, Entry])[] = [];
  const missing: string[] = [];
  const folders: (readonly [string, string])[] = [];
  const externals: (readonly [string, string])[] = [];
  let index = 0;
  for (const step of seen) {
    index += step;
    const [name, observed] = table[index]?.split("\0") ?? [];
    if (name === undefined || observed === undefined)
      throw new json.Malformed("evidence.seen isn't in the table");
    if (observed === "") missing.push(name);
    else if (observed.startsWith(FOLDER))
      folders.push([name, observed.slice(1)]);
    else if (observed.startsWith(EXTERNAL))
      externals.push([name, observed.slice(1)]);
    else entries.push([name, observed as Entry]);
  }
  return {
    ...unit,
    missing,
    entries: Object.fromEntries(entries),
    folders: Object.fromEntries(folders),
    externals: Object.fromEntries(externals),
  };
}
