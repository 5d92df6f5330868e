import { isWithin } from "@skein/workspaces";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";
import type { Place, Places } from "./place.js";
import type { External, RecordedUnit, UnitTrace } from "./unit-trace.js";

/** A unit's trace before the makers of its generated files are determined. */
export type TraceDraft = Omit<UnitTrace, "generated"> & {
  readonly generated: readonly string[];
};

/** A folder whose names are those of installed packages, of their scopes or of their programs. */
const OF_NAMES = /(?:^|\/)node_modules(?:\/[@.][^/]*)?$/;

/** The lists of observations in which paths become sources and folders of a trace. */
const LISTS = [
  "read",
  "executed",
  "links",
  "found",
  "listed",
  "missing",
] as const;
type ListName = (typeof LISTS)[number];

/** The facts about a unit's run while its observations are classified. */
interface Collected {
  /** The `node_modules` of its workspace; undefined for the root, whose packages all workspaces share. */
  readonly ownInstall: string | undefined;
  readonly lists: Readonly<Record<ListName, Set<string>>>;
  readonly generated: Set<string>;
  readonly changed: Set<string>;
  readonly linked: Set<string>;
  /** The names of packages that it looked for and didn't find in some folder. */
  readonly sought: Set<string>;
  /** Packages that it found, by folder. */
  readonly externals: Map<string, External>;
  listsInstalled: boolean;
  /** By content, so that each gap appears once. */
  readonly gaps: Map<string, Gap>;
}

/** Classifies what was observed of a unit. */
export function draftTrace(
  { unit, passed, observations, gaps }: RecordedUnit,
  places: Places,
): TraceDraft {
  const collected: Collected = {
    ownInstall: unit.dir === "." ? undefined : `${unit.dir}/node_modules`,
    lists: {
      read: new Set(),
      executed: new Set(),
      links: new Set(),
      found: new Set(),
      listed: new Set(),
      missing: new Set(),
    },
    generated: new Set(),
    changed: new Set(),
    linked: new Set(),
    sought: new Set(),
    externals: new Map(),
    listsInstalled: false,
    gaps: new Map(),
  };
  for (const name of LISTS)
    for (const path of observations[name])
      collectPath(collected, name, path, observations, places);
  collectEffects(collected, observations, places);
  const { lists, externals, linked } = collected;
  const installed = new Set([...externals.values()].map(({ name }) => name));
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
    notInstalled: sorted(collected.sought).filter(
      (name) => !installed.has(name) && !linked.has(name),
    ),
    listsInstalled: collected.listsInstalled,
    generated: sorted(collected.generated),
    changed: sorted(collected.changed),
    gaps: [...gaps, ...collected.gaps.values()],
  };
}

function addGap({ gaps }: Collected, gap: Gap): void {
  gaps.set(JSON.stringify(gap), gap);
}

/** Adds an observed path to the list of its role. @param path absolute */
function collectPath(
  collected: Collected,
  name: ListName,
  path: string,
  observations: Observations,
  places: Places,
): void {
  const { lists, ownInstall } = collected;
  const place = places.of(path);
  const isUsed = name === "read" || name === "executed";
  switch (place.kind) {
    case "external":
      collectExternal(collected, name, place, places);
      break;
    case "git":
      if (isUsed) addGap(collected, { kind: "git", path: place.path });
      break;
    case "cache":
      if (isUsed)
        addGap(collected, { kind: "unexplained-file", path: place.path });
      break;
    case "outside":
      if (isUsed || name === "listed")
        addGap(collected, { kind: "unexplained-file", path: place.path });
      else lists[name].add(place.path);
      break;
    case "source":
    case "folder":
      if (name === "links" && !observations.followed.has(path))
        lists.found.add(place.path);
      else if (place.kind === "source" || !isUsed) lists[name].add(place.path);
      break;
    case "install":
      if (
        name === "listed" &&
        OF_NAMES.test(place.path) &&
        !(ownInstall && isWithin(place.path, ownInstall))
      )
        collected.listsInstalled = true;
      break;
    // These paths belong to this run or to the machine, and don't depend on the project.
    case "private":
    case "machine":
      break;
    case "generated":
      if (name === "missing") lists.missing.add(place.path);
      // A folder for outputs that an earlier run left there.
      else if (name === "found" && observations.ensured.has(path)) break;
      // Looking a file up before removing it doesn't depend on its content.
      else if (isUsed || !observations.changed.has(path))
        collected.generated.add(place.path);
  }
}

/** Adds an installed package that contains an observed path. */
function collectExternal(
  collected: Collected,
  list: ListName,
  { name, folder }: Extract<Place, { kind: "external" }>,
  places: Places,
): void {
  const fromRoot = places.fromRoot(folder);
  if (list === "links") collected.linked.add(name);
  else if (list === "missing") collected.sought.add(name);
  else collected.externals.set(folder, { name, folder: fromRoot });
  // Another project's lockfile decides on packages above the root.
  if ((list === "read" || list === "executed") && fromRoot === folder)
    addGap(collected, { kind: "unexplained-file", path: folder });
}

/** Adds the files that the unit changed, and its connections. */
function collectEffects(
  collected: Collected,
  { changed, network, sockets }: Observations,
  places: Places,
): void {
  for (const path of changed) {
    const place = places.of(path);
    if (place.kind !== "source" && place.kind !== "generated") continue;
    collected.changed.add(place.path);
    if (place.kind === "source")
      addGap(collected, { kind: "changes-source", path: place.path });
  }
  for (const address of network)
    addGap(collected, { kind: "network", address });
  for (const address of sockets)
    if (places.of(address).kind !== "private")
      addGap(collected, { kind: "other-process", address });
}

function sorted(paths: Iterable<string>): string[] {
  return [...paths].sort();
}
