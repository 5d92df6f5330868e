import { flag, nullable, oneOf, record, text, whole } from "../events/field.js";
import type { Field } from "../events/field.js";
import { NoField } from "../events/no-field.js";
import { MEASURES, UNTILS } from "../report/report.js";
import type { DeliveryReport, Measure, Until } from "../report/report.js";
import { STAGES, type Stage } from "../report/stages.js";
import type { Window } from "../report/windows.js";

/** The parts of a stored report that a comparison needs. */
export interface KeptReport {
  readonly window: Window;
  readonly until: Until;
  readonly only: DeliveryReport["only"];
  readonly measures: Readonly<Record<Measure, KeptP90>>;
  readonly stages: Readonly<Record<Stage, KeptP90>>;
  readonly builds: KeptP90;
}

export interface KeptP90 {
  readonly n: number;
  readonly values: {
    /** The P90. Reports of earlier versions lack `atLeast`. */
    readonly p90: { readonly ms: number; readonly atLeast: boolean };
  } | null;
}

/**
 * Parses the JSON of a report. It is untrusted.
 * @returns undefined if it isn't a report of version 1
 */
export function parseKeptReport(wire: unknown): KeptReport | undefined {
  const { version } = (wire ?? {}) as { readonly version?: unknown };
  try {
    return version === 1 ? report.read(wire) : undefined;
  } catch (error) {
    if (error instanceof NoField) return undefined;
    throw error;
  }
}

const span: Field<number> = {
  ...whole,
  read: (wire) => {
    if (typeof wire !== "number" || !Number.isFinite(wire) || wire < 0)
      throw new NoField("no span");
    return wire;
  },
};
const p90: Field<KeptP90> = record({
  n: whole,
  values: nullable(record({ p90: record({ ms: span, atLeast: flag }) })),
});
/** Stages that reports of earlier versions lack. */
const newer: Field<KeptP90> = {
  ...p90,
  read: (wire) =>
    wire === undefined ? { n: 0, values: null } : p90.read(wire),
};
const NEWER = { plan: newer, "set-up": newer, judge: newer };
const report: Field<KeptReport> = record({
  window: record({ from: text, to: text, days: span }),
  until: oneOf(UNTILS),
  only: record({ package: nullable(text), team: nullable(text) }),
  measures: record(each(MEASURES)),
  stages: record({ ...each(STAGES), ...NEWER }),
  builds: p90,
});

function each<Name extends string>(
  names: readonly Name[],
): Readonly<Record<Name, Field<KeptP90>>> {
  return Object.fromEntries(names.map((name) => [name, p90])) as Record<
    Name,
    Field<KeptP90>
  >;
}
