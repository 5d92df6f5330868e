import type { UnitId } from "@skein/runner";
import type { NoEffect } from "@skein/workspaces";
import type { UnitTrace } from "./unit-trace.js";

/** What a change of one file does, as selection decides it. A port. */
export interface FileEffect {
  /** Packages that would be selected, by name. */
  readonly selects: ReadonlySet<string>;
  /** Why the file affects nothing by itself; undefined where it affects something. */
  readonly noEffect: NoEffect | undefined;
}

/** What selection knows. */
export interface Selection {
  /** @param path from the project's root */
  effectOf(path: string): FileEffect;
  /** The package that owns a path, and the folder of it; the root owns what no other does. */
  ownerOf(path: string): { readonly name: string; readonly dir: string };
  /** The root's name. */
  readonly root: string;
}

/**
 * What lets selection know of files:
 * - `dependency`: a dependency in the package.json of the package that read them;
 * - `implicit`, `unowned`, `inputs`: a line of skein.json, in `affected.implicitDependencies`, `unowned` or `inputs`;
 * - `ignored`, `not-an-input`, `test`: `affected.ignore` (or `unowned`), `inputs` or `tests` leaves them out, and must not.
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
  /** From the project's root; one or more. */
  readonly files: readonly string[];
  /** The unit that read them, where this one used what that one made. */
  readonly through: UnitId | undefined;
  readonly fix: Fix;
}

/** By meaning, not by text: every package sees what these say, and selection compares exactly that. */
const BY_MEANING: ReadonlySet<NoEffect> = new Set<NoEffect>([
  "compared-by-meaning",
  "derived-from-lockfile",
]);

/**
 * Compares what units read with what selection knows: a file that a unit read is known if a change of that file alone
 * would select the unit's package. Pure.
 *
 * Only content counts: files that were opened or executed, and symlinks that were followed. To look for a name, to find it,
 * or to list a folder is no reading: tools that crawl (Jest's haste map) do so to whole trees.
 *
 * @param selectionOf what selection knows of one script
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
    // What several makers read is told once.
    const more = used.flatMap((miss) => {
      const files = miss.files.filter((file) => !seen.has(file));
      for (const file of files) seen.add(file);
      return files.length > 0 ? [{ ...miss, files }] : [];
    });
    return [...own, ...more];
  });
}

/** Units that made what a unit used, or what those used. */
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
  // A set hands out what is added while it is walked.
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

/** Sources whose content a unit used, each once. */
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
    // Who finds a package by its name depends on it as on any other.
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
 * Finds dependencies of recorded packages of which no unit of theirs read, executed, found or listed anything. A package with
 * an incomplete recording is left out: it may have used what was not seen. Other scripts may still use a dependency.
 * @param edges dependencies between packages
 * @param folderOf a package's folder from the project's root
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
