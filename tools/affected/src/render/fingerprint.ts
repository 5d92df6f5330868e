import type { Revision } from "@skein/changes";
import type { Difference, Entry, UnitFingerprint } from "@skein/fingerprint";
import { printable } from "@skein/reporting";
import type { FingerprintOptions } from "../command.js";

/** A unit as the command prints it. */
export interface PrintedUnit {
  readonly unit: string;
  readonly package: string;
  readonly dir: string;
  /** Undefined if one of the unit's inputs is unknown. */
  readonly fingerprint: UnitFingerprint | undefined;
  /** With `--explain`: all entries of the fingerprint. */
  readonly entries?: readonly Entry[];
  /** With `--diff`: null if both trees have the same fingerprint. */
  readonly difference?: Difference | "new" | null;
}

interface Printing {
  readonly asked: FingerprintOptions;
  readonly warnings: readonly string[];
  /** The commit that was read; undefined for the working tree. */
  readonly head: Revision | undefined;
}

/** Renders fingerprints in the form that the options ask for. */
export function renderFingerprints(
  units: readonly PrintedUnit[],
  printing: Printing,
): string {
  const { asked } = printing;
  if (asked.json) return renderJson(units, printing);
  const lines = units.flatMap((unit) =>
    asked.diff !== undefined
      ? differenceLine(unit)
      : [
          ...(unit.fingerprint
            ? [`${printable(unit.unit)} ${unit.fingerprint.hex}`]
            : []),
          ...explanation(unit),
        ],
  );
  return lines.map((line) => `${line}\n`).join("");
}

function renderJson(
  units: readonly PrintedUnit[],
  { asked, head, warnings }: Printing,
): string {
  const document = {
    version: 1,
    script: asked.script,
    head: head ?? null,
    diff: asked.diff ?? null,
    units: units.map(({ fingerprint, entries, ...unit }) => ({
      ...unit,
      hex: fingerprint?.hex ?? null,
      fields: fingerprint?.fields ?? [],
      varying: fingerprint?.varying ?? [],
      ...(entries && {
        entries: entries.map(({ state = null, ...entry }) => ({
          ...entry,
          state,
        })),
      }),
    })),
    warnings,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function differenceLine({
  unit,
  difference = null,
}: PrintedUnit): readonly string[] {
  if (difference === null) return [];
  if (difference === "new") return [`${printable(unit)} new`];
  const { entry, change } = difference;
  return [`${printable(unit)} ${entry.field}: ${entryWords(entry)} ${change}`];
}

/** Returns the fields, each with all its entries. */
function explanation({ fingerprint, entries }: PrintedUnit): readonly string[] {
  if (!entries) return [];
  return (fingerprint?.fields ?? []).flatMap(({ name, hex }) => [
    `${name} ${hex}`,
    ...entries
      .filter(({ field }) => field === name)
      .map((entry) => `  ${entryWords(entry)}${stateWords(entry)}`),
  ]);
}

function entryWords({ kind, name, by }: Difference["entry"]): string {
  const words = { file: "", package: "", runtime: "", variable: "$" } as const;
  const before = kind in words ? words[kind as keyof typeof words] : `${kind} `;
  return `${by === undefined ? "" : `${printable(by)}: `}${before}${printable(name)}`;
}

/**
 * Returns the state of an entry. Settings and scripts are whole texts, so it leaves their states out; their hash is in
 * the field.
 */
function stateWords({ kind, state }: Entry): string {
  if (state === undefined) return " (unknown)";
  const isText = kind === "root-field" || kind === "root-script";
  return state === "" || isText ? "" : ` ${printable(state)}`;
}
