import { Malformed, members, type Members } from "@skein/reporting/json";
import type { Entry, Evidence } from "./evidence.js";

/** Raised if the form or the meaning of evidence changes. Evidence of other versions is ignored. */
const VERSION = 2;

/**
 * The evidence of many units as JSON. Most units see the same files, so the observations are in one table, sorted and
 * each once. A unit has the indices of its observations as differences, which compress well.
 */
export interface PackedEvidence {
  readonly version: number;
  /** A name, a NUL, and what was observed: a state, a hash after a mark, or nothing for a missing name. */
  readonly table: readonly string[];
  readonly units: readonly PackedUnit[];
}

type PackedUnit = Pick<
  Evidence,
  "unit" | "facts" | "surroundings" | "variables" | "values" | "makers"
> & { readonly seen: readonly number[] };

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
  const packed = members(value, "evidence");
  if (packed.number("version") !== VERSION) return [];
  const table = packed.texts("table");
  return packed.list("units", (unit) => unpackUnit(unit, table));
}

function unpackUnit(of: Members, table: readonly string[]): Evidence {
  const entries: (readonly [string, Entry])[] = [];
  const missing: string[] = [];
  const folders: (readonly [string, string])[] = [];
  const externals: (readonly [string, string])[] = [];
  let index = 0;
  const seen = of.unknown("seen");
  if (!Array.isArray(seen)) throw new Malformed("evidence.seen isn't a list");
  for (const step of seen as readonly unknown[]) {
    index += typeof step === "number" ? step : NaN;
    const [name, observed] = table[index]?.split("\0") ?? [];
    if (name === undefined || observed === undefined)
      throw new Malformed("evidence.seen isn't in the table");
    if (observed === "") missing.push(name);
    else if (observed.startsWith(FOLDER))
      folders.push([name, observed.slice(1)]);
    else if (observed.startsWith(EXTERNAL))
      externals.push([name, observed.slice(1)]);
    else entries.push([name, observed as Entry]);
  }
  const facts = of.object("facts");
  return {
    unit: of.text("unit"),
    facts: {
      command: facts.text("command"),
      version: facts.text("version"),
      dependsOn: facts.texts("dependsOn"),
    },
    surroundings: of.text("surroundings"),
    missing,
    entries: Object.fromEntries(entries),
    folders: Object.fromEntries(folders),
    externals: Object.fromEntries(externals),
    variables: of.texts("variables"),
    values: of.text("values"),
    makers: of.words("makers"),
  };
}
