import type {
  BoundBy,
  PlannedJob,
  PlannedUnit,
  Prediction,
} from "../../plan.js";

/** Predicts the duration of a plan, and what keeps it from being shorter. Pure. */
export function predict(
  jobs: readonly PlannedJob[],
  setupMs: number,
): Prediction {
  const packed = jobs.filter(({ kind }) => kind !== "application");
  const totals = packed.map(({ expectedMs }) => expectedMs);
  const packedMs = totals.reduce((sum, each) => sum + each, 0);
  const makespanMs = Math.max(0, ...totals);
  const largest = largestOf(packed.flatMap(({ units }) => units));
  const lowerBoundMs =
    packed.length === 0
      ? 0
      : Math.max(largest?.expectedMs ?? 0, packedMs / packed.length);
  const longest = Math.max(0, ...jobs.map(({ expectedMs }) => expectedMs));
  return {
    wallMs: jobs.length === 0 ? 0 : setupMs + longest,
    setupMs,
    totalMs: jobs.reduce((sum, { expectedMs }) => sum + expectedMs, 0),
    makespanMs,
    lowerBoundMs: Math.round(lowerBoundMs),
    ratio: lowerBoundMs === 0 ? 1 : makespanMs / lowerBoundMs,
    billedMinutes: jobs.reduce(
      (sum, { expectedMs }) => sum + Math.ceil((setupMs + expectedMs) / 60_000),
      0,
    ),
    boundBy: boundBy(jobs, packed, longest, largest),
  };
}

function boundBy(
  jobs: readonly PlannedJob[],
  packed: readonly PlannedJob[],
  longest: number,
  largest: PlannedUnit | undefined,
): BoundBy {
  const top = jobs.find(({ expectedMs }) => expectedMs === longest);
  if (!top) return { kind: "nothing" };
  if (top.kind === "application")
    return { kind: "application", unit: top.units[0]?.id ?? "" };
  if (largest && largest.expectedMs >= longest)
    return { kind: "largest-unit", unit: largest.id };
  return { kind: "machines", jobs: packed.length };
}

function largestOf(units: readonly PlannedUnit[]): PlannedUnit | undefined {
  return units.reduce<PlannedUnit | undefined>(
    (most, unit) => (most && most.expectedMs >= unit.expectedMs ? most : unit),
    undefined,
  );
}
