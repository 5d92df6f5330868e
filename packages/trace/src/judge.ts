import { groupBy } from "@skein/reporting/group-by";
import type { UnitId } from "@skein/runner";
import type { NoEffect } from "@skein/workspaces";
import type { UnitTrace } from "./unit-trace.js";

/** The effect of a change of one file, as selection decides it. A port. */
export interface FileEffect {
  /** The names of the packages that would be selected. */
  readonly selects: ReadonlySet<string>;
  /** Why the file affects nothing by itself; undefined if it affects something. */
  readonly noEffect: NoEffect | undefined;
}

/** The parts of selection that a trace is compared with. */
export interface Selection {
  /** Returns the effect of a change of a file. @param path relative to the project's root */
  effectOf(path: string): FileEffect;
  /** Returns the package that owns a path, and its folder. The root owns everything that no other package owns. */
  ownerOf(path: string): { readonly name: string; readonly dir: string };
  /** The root's name. */
  readonly root: string;
}

/**
 * The change that makes selection include files:
 * - `dependency`: a dependency in the package.json of the package that read them;
 * - `manifests`: as `implicit`, for all packages, because a program that lists all packages read them;
 * - `implicit`, `unowned`, `inputs`: a line of skein.json, in `affected.implicitDependencies`, `unowned` or `inputs`;
 * - `ignored`, `not-an-input`, `test`: `affected.ignore` (or `unowned`), `inputs` or `tests` excludes them, and must
 *   not.
 */
export type Fix =
  | "dependency"
  | "manifests"
  | "implicit"
  | "unowned"
  | "inputs"
  | "ignored"
  | "not-an-input"
  | "test";

/** Files that a unit read, whose change would not select its package, and that one fix makes selection include. */
export interface Miss {
  readonly unit: UnitId;
  readonly workspace: string;
  readonly script: string;
  /** The packages that own the files. */
  readonly owners: readonly string[];
  /** One or more paths, relative to the project's root. */
  readonly files: readonly string[];
  /** The unit that read them, if this unit used an output of that one. */
  readonly through: UnitId | undefined;
  readonly fix: Fix;
}

/**
 * Selection compares these files by their meaning, not by their text. Every package reads them, and selection compares
 * what affects the package.
 */
const BY_MEANING: ReadonlySet<NoEffect> = new Set<NoEffect>([
  "compared-by-meaning",
  "derived-from-lockfile",
]);

/**
 * Compares the files that units read with selection. Selection covers a file if a change of that file alone would
 * select the unit's package. Pure.
 *
 * Only content counts: files that were opened or executed, and symlinks that were followed. Looking a name up, finding
 * it, or listing a folder isn't reading: tools that crawl (Jest's haste map) do so with whole trees.
 *
 * @param selectionOf returns the selection for one script
 */
export function findMisses(
  traces: readonly UnitTrace[],
  selectionOf: (script: string) => Selection,
): Miss[] {
  const byUnit = new Map(traces.map((trace) => [trace.unit, trace]));
  return traces.flatMap((trace) => {
    const selection = selectionOf(trace.script);
    // A file that several units read is reported once.
    const seen = new Set<string>();
    return [trace, ...makersOf(trace, byUnit)].flatMap((reader) =>
      missesOf(trace, { reader, seen, selection }),
    );
  });
}

/** Returns the units that made files a unit used, directly or through other units. */
function makersOf(
  trace: UnitTrace,
  byUnit: ReadonlyMap<UnitId, UnitTrace>,
): Set<UnitTrace> {
  const makers = new Set<UnitTrace>();
  const add = ({ generated }: UnitTrace) => {
    for (const { madeBy } of generated) {
      const maker = madeBy === undefined ? undefined : byUnit.get(madeBy);
      if (maker) makers.add(maker);
    }
  };
  add(trace);
  // A loop over a set also visits elements that are added during the loop.
  for (const maker of makers) add(maker);
  return makers;
}

/** Returns one miss for each fix, and adds the files of all misses to `seen`, whose files it skips. */
function missesOf(
  trace: UnitTrace,
  {
    reader,
    seen,
    selection,
  }: {
    /** The unit itself, or one whose products it used. */
    readonly reader: UnitTrace;
    readonly seen: Set<string>;
    readonly selection: Selection;
  },
): Miss[] {
  const { unit, workspace, script } = trace;
  const through = reader === trace ? undefined : reader.unit;
  const files = [...contentOf(reader)].flatMap((path): MissedFile[] => {
    const { selects, noEffect } = selection.effectOf(path);
    if (selects.has(workspace) || seen.has(path)) return [];
    if (noEffect !== undefined && BY_MEANING.has(noEffect)) return [];
    seen.add(path);
    const fix = fixOf(path, workspace, noEffect, reader, selection);
    return [{ path, owner: selection.ownerOf(path), fix }];
  });
  const listed = manifestsOfAll(files);
  const byFix = groupBy(files, (file) =>
    listed.has(file) ? "manifests" : file.fix,
  );
  return Array.from(byFix, ([fix, group]) => ({
    ...{ unit, workspace, script, through, fix },
    owners: [...new Set(group.map(({ owner }) => owner.name))],
    files: group.map(({ path }) => path),
  }));
}

/** A file that a unit read, and whose change would not select it. */
interface MissedFile {
  readonly path: string;
  readonly owner: ReturnType<Selection["ownerOf"]>;
  readonly fix: Fix;
}

/** The least number of packages of which a unit read nothing but the manifest, from which on its program lists all packages. */
const LEAST_LISTED = 3;

/** Returns the manifests that a program read because it lists all packages. */
function manifestsOfAll(files: readonly MissedFile[]): Set<MissedFile> {
  const byOwner = groupBy(
    files.filter(({ fix }) => fix === "implicit"),
    ({ owner }) => owner.name,
  );
  const manifests = [...byOwner.values()].flatMap((group) =>
    group.every(({ path, owner }) => path === `${owner.dir}/package.json`)
      ? group
      : [],
  );
  return new Set(manifests.length < LEAST_LISTED ? [] : manifests);
}

/** Returns the sources whose content a unit used, each once. */
function contentOf({ read, executed, links }: UnitTrace): Set<string> {
  return new Set([...read, ...executed, ...links]);
}

function fixOf(
  path: string,
  workspace: string,
  noEffect: NoEffect | undefined,
  reader: UnitTrace,
  selection: Selection,
): Fix {
  const owner = selection.ownerOf(path);
  const isUnowned = owner.name === selection.root;
  if (noEffect === "settings-ignore") return "ignored";
  if (isUnowned && workspace !== selection.root) return "unowned";
  const knows = selection
    .effectOf(owner.dir === "." ? "package.json" : `${owner.dir}/package.json`)
    .selects.has(workspace);
  if (!knows && owner.name !== workspace)
    // A package that is found by its name is a dependency like any other.
    return reader.linked.includes(owner.name) ? "dependency" : "implicit";
  if (noEffect === "not-an-input") return "not-an-input";
  return noEffect === "documentation" ? "inputs" : "test";
}

/** A dependency that no recorded run of its package used. */
export interface UnusedEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: string;
  readonly evidence: string;
}

/**
 * Finds dependencies that recorded packages didn't use: none of their units read, executed, found or listed a file
 * there. It ignores packages with an incomplete recording, because these may have used files that were not recorded.
 * Scripts that were not recorded may still use a dependency.
 * @param edges dependencies between packages
 * @param folderOf returns a package's folder, relative to the project's root
 */
export function findUnusedEdges(
  traces: readonly UnitTrace[],
  edges: readonly UnusedEdge[],
  folderOf: (name: string) => string | undefined,
): UnusedEdge[] {
  const used = new Map<string, string[]>();
  const isPartial = new Set<string>();
  for (const trace of traces) {
    const { workspace, gaps } = trace;
    if (gaps.length > 0) isPartial.add(workspace);
    used.set(workspace, [...(used.get(workspace) ?? []), ...pathsOf(trace)]);
  }
  return edges.filter(({ from, to }) => {
    const paths = used.get(from);
    const folder = folderOf(to);
    if (!paths || isPartial.has(from) || folder === undefined) return false;
    if (from === to || folder === ".") return false;
    return !paths.some(
      (path) => path === folder || path.startsWith(`${folder}/`),
    );
  });
}

function pathsOf(trace: UnitTrace): string[] {
  const { read, executed, found, listed, generated } = trace;
  return [
    ...read,
    ...executed,
    ...found,
    ...listed,
    ...generated.map(({ path }) => path),
  ];
}
