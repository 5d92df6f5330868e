import type { UnitId } from "@skein/runner";
import { draftTrace, type TraceDraft } from "./draft-trace.js";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";
import type { Places } from "./place.js";

/** An installed package whose files a unit read. */
export interface External {
  readonly name: string;
  /** The folder of the package: relative to the project's root, absolute outside it. */
  readonly folder: string;
}

/** A file that git doesn't track, and the recorded unit that made it before. */
export interface GeneratedFile {
  readonly path: string;
  /** Undefined if no recorded unit made it. */
  readonly madeBy: UnitId | undefined;
}

/**
 * The inputs of one run of a unit, sorted. Paths are relative to the project's root. It contains only what existed
 * before the unit started: it excludes the unit's own outputs and the rest of the machine.
 */
export interface UnitTrace {
  readonly unit: UnitId;
  readonly workspace: string;
  readonly script: string;
  /** Whether the script succeeded. */
  readonly passed: boolean;
  /** Sources whose content it read. */
  readonly read: readonly string[];
  /** Sources that it executed. */
  readonly executed: readonly string[];
  /** Sources that are symlinks, and were followed. */
  readonly links: readonly string[];
  /** Names of the project that didn't exist. */
  readonly missing: readonly string[];
  /** Sources and folders that were looked up and found. These accesses read nothing of their content. */
  readonly found: readonly string[];
  /** Folders whose names it read. */
  readonly listed: readonly string[];
  readonly externals: readonly External[];
  /** The names of packages that it found in node_modules as symlinks. With Yarn's linkers, these are workspaces. */
  readonly linked: readonly string[];
  /** The names of packages that it looked for in node_modules, and didn't find. */
  readonly notInstalled: readonly string[];
  /** Whether it listed a `node_modules` of another package or of the root, and so read the names of installed packages. */
  readonly listsInstalled: boolean;
  readonly generated: readonly GeneratedFile[];
  /** Files of the project that it wrote, moved or removed. */
  readonly changed: readonly string[];
  /** Why the recording is incomplete; empty for a complete one. */
  readonly gaps: readonly Gap[];
}

/** A unit that has run, with its recording. */
export interface RecordedUnit {
  readonly unit: {
    readonly id: UnitId;
    readonly workspace: string;
    readonly dir: string;
    readonly script: string;
    readonly dependsOn: readonly UnitId[];
  };
  readonly passed: boolean;
  readonly observations: Observations;
  readonly gaps: readonly Gap[];
}

/** Makes traces from the recordings of a run. Pure. @param recorded in the order of the plan */
export function makeTraces(
  recorded: readonly RecordedUnit[],
  places: Places,
): UnitTrace[] {
  const drafts = recorded.map((each) => draftTrace(each, places));
  const before = earlierUnits(recorded);
  return drafts.map((trace) => explain(trace, drafts, before, places));
}

/** Returns the units that had passed when a unit started, because it waits for them, directly or not. */
function earlierUnits(
  recorded: readonly RecordedUnit[],
): ReadonlyMap<UnitId, ReadonlySet<UnitId>> {
  const before = new Map<UnitId, ReadonlySet<UnitId>>();
  // The plan lists dependencies first.
  for (const { unit } of recorded)
    before.set(
      unit.id,
      new Set(unit.dependsOn.flatMap((id) => [id, ...(before.get(id) ?? [])])),
    );
  return before;
}

function explain(
  trace: TraceDraft,
  all: readonly TraceDraft[],
  before: ReadonlyMap<UnitId, ReadonlySet<UnitId>>,
  places: Places,
): UnitTrace {
  const makers = makersOf(
    all.filter(({ unit }) => before.get(trace.unit)?.has(unit)),
  );
  const unexplained = new Set<string>();
  const generated = trace.generated.map((path) => {
    const madeBy = makers.get(path);
    if (madeBy === undefined) unexplained.add(places.generatedFolder(path));
    return { path, madeBy };
  });
  return {
    ...trace,
    generated,
    gaps: [
      ...trace.gaps,
      ...[...unexplained].sort().map((path): Gap => ({
        kind: "unexplained-file",
        path,
      })),
    ],
  };
}

/** Returns the unit that last made each path, or a path below it. */
function makersOf(traces: readonly TraceDraft[]): ReadonlyMap<string, UnitId> {
  const makers = new Map<string, UnitId>();
  for (const { unit, changed } of traces)
    for (const path of changed)
      for (
        let at = path;
        at !== "" && makers.get(at) !== unit;
        at = at.slice(0, Math.max(0, at.lastIndexOf("/")))
      )
        makers.set(at, unit);
  return makers;
}
