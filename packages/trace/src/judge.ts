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
 * - `implicit`, `unowned`, `inputs`: a line of skein.json, in `affected.implicitDependencies`, `unowned` or `inputs`;
 * - `ignored`, `not-an-input`, `test`: `affected.ignore` (or `unowned`), `inputs` or `tests` excludes them, and must
 *   not.
 */
export type Fix =
  | "dependency"
  | "implicit"
  | "unowned"
  | "inputs"
  | "ignored"
  | "not-an-input"
  | "test";

/** Files that a unit read, and whose change would not select its package. */
export interface Miss {
  readonly unit: UnitId;
  readonly workspace: string;
  readonly script: string;
  /** The package that owns the files. */
  readonly owner: string;
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
    const own = missesOf(trace, trace, undefined, selection);
    const seen = new Set(own.flatMap(({ files }) => files));
    const used = [...makersOf(trace, byUnit)].flatMap((maker) =>
      missesOf(trace, maker, maker.unit, selection),
    );
    // A file that several makers read is reported once.
    const more = used.flatMap((miss) => {
      const files = miss.files.filter((file) => !seen.has(file));
      for (const file of files) seen.add(file);
      return files.length > 0 ? [{ ...miss, files }] : [];
    });
    return [...own, ...more];
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

function missesOf(
  { unit, workspace, script }: UnitTrace,
  reader: UnitTrace,
  through: UnitId | undefined,
  selection: Selection,
): Miss[] {
  const groups = new Map<string, Miss>();
  for (const path of contentOf(reader)) {
    const { selects, noEffect } = selection.effectOf(path);
    if (selects.has(workspace)) continue;
    if (noEffect !== undefined && BY_MEANING.has(noEffect)) continue;
    const fix = fixOf(path, workspace, noEffect, reader, selection);
    const owner = selection.ownerOf(path).name;
    const key = JSON.stringify([owner, fix]);
    const known = groups.get(key);
    groups.set(key, {
      ...{ unit, workspace, script, owner, through, fix },
      files: [...(known?.files ?? []), path],
    });
  }
  return [...groups.values()];
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
