import type { UnitId } from "@skein/runner";
import { isWithin } from "@skein/workspaces";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";
import type { Places } from "./place.js";

/** An installed package of which a unit read something. */
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
 * What one run of a unit depended on, sorted. Paths are relative to the project's root. It contains only what existed
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

/** A unit's trace before the makers of its generated files are determined. */
type Draft = Omit<UnitTrace, "generated"> & {
  readonly generated: readonly string[];
};

/** Makes traces from the recordings of a run. Pure. @param recorded in the order of the plan */
export function makeTraces(
  recorded: readonly RecordedUnit[],
  places: Places,
): UnitTrace[] {
  const drafts = recorded.map((each) => draft(each, places));
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

/** A folder whose names are those of installed packages, of their scopes or of their programs. */
const OF_NAMES = /(?:^|\/)node_modules(?:\/[@.][^/]*)?$/;

function draft(
  { unit, passed, observations, gaps }: RecordedUnit,
  places: Places,
): Draft {
  const lists = {
    read: new Set<string>(),
    executed: new Set<string>(),
    links: new Set<string>(),
    found: new Set<string>(),
    listed: new Set<string>(),
    missing: new Set<string>(),
  };
  const generated = new Set<string>();
  const changed = new Set<string>();
  const linked = new Set<string>();
  const sought = new Set<string>();
  const externals = new Map<string, External>();
  const own = unit.dir === "." ? undefined : `${unit.dir}/node_modules`;
  let listsInstalled = false;
  const more = new Map<string, Gap>();
  const gap = (each: Gap) => more.set(JSON.stringify(each), each);

  for (const name of Object.keys(lists) as (keyof typeof lists)[])
    for (const path of observations[name]) {
      const place = places.of(path);
      const isUsed = name === "read" || name === "executed";
      switch (place.kind) {
        case "external":
          if (name === "links") linked.add(place.name);
          else if (name === "missing") sought.add(place.name);
          else
            externals.set(place.folder, {
              name: place.name,
              folder: places.fromRoot(place.folder),
            });
          // Another project's lockfile decides on packages above the root.
          if (isUsed && places.fromRoot(place.folder) === place.folder)
            gap({ kind: "unexplained-file", path: place.folder });
          break;
        case "git":
          if (isUsed) gap({ kind: "git", path: place.path });
          break;
        case "cache":
          if (isUsed) gap({ kind: "unexplained-file", path: place.path });
          break;
        case "outside":
          if (isUsed || name === "listed")
            gap({ kind: "unexplained-file", path: place.path });
          else lists[name].add(place.path);
          break;
        case "source":
        case "folder":
          if (place.kind === "source" || !isUsed) lists[name].add(place.path);
          break;
        case "install":
          if (
            name === "listed" &&
            OF_NAMES.test(place.path) &&
            !(own && isWithin(place.path, own))
          )
            listsInstalled = true;
          break;
        // These paths belong to this run or to the machine, and don't depend on the project.
        case "private":
        case "machine":
          break;
        case "generated":
          if (name === "missing") lists.missing.add(place.path);
          // Looking a file up before removing it doesn't depend on its content.
          else if (isUsed || !observations.changed.has(path))
            generated.add(place.path);
      }
    }
  const installed = new Set([...externals.values()].map(({ name }) => name));
  for (const path of observations.changed) {
    const place = places.of(path);
    if (place.kind !== "source" && place.kind !== "generated") continue;
    changed.add(place.path);
    if (place.kind === "source")
      gap({ kind: "changes-source", path: place.path });
  }
  for (const address of observations.network) gap({ kind: "network", address });
  for (const address of observations.sockets)
    if (places.of(address).kind !== "private")
      gap({ kind: "other-process", address });
  return {
    unit: unit.id,
    workspace: unit.workspace,
    script: unit.script,
    passed,
    read: sorted(lists.read),
    executed: sorted(lists.executed),
    links: sorted(lists.links),
    missing: sorted(lists.missing),
    found: sorted(lists.found).filter((path) => !lists.read.has(path)),
    listed: sorted(lists.listed),
    externals: [...externals.values()].sort((a, b) =>
      a.folder < b.folder ? -1 : 1,
    ),
    linked: sorted(linked),
    notInstalled: sorted(sought).filter(
      (name) => !installed.has(name) && !linked.has(name),
    ),
    listsInstalled,
    generated: sorted(generated),
    changed: sorted(changed),
    gaps: [...gaps, ...more.values()],
  };
}

function explain(
  trace: Draft,
  all: readonly Draft[],
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
      ...sorted(unexplained).map((path): Gap => ({
        kind: "unexplained-file",
        path,
      })),
    ],
  };
}

/** Returns the unit that last made each path, or a path below it. */
function makersOf(traces: readonly Draft[]): ReadonlyMap<string, UnitId> {
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

function sorted(paths: Iterable<string>): string[] {
  return [...paths].sort();
}
