import { posix } from "node:path";
import { fieldsOf } from "../steps/clean-up/manifest/package-files.js";
import type { TreeFile, TreeView } from "../tree/draft.js";
import { mayMatch, type MayMatch } from "./may-match.js";
import {
  isPackRule,
  packedFiles,
  packFields,
  packRulesAbove,
} from "./packed-files.js";
import type { Fields } from "@skein/reporting/json-fields";

/** A package in some tree. */
export interface PackSide {
  readonly view: TreeView;
  /** The package's folder; `""` for the top. */
  readonly dir: string;
}

/** Paths relative to the package's folder, sorted. */
export interface PackDifference {
  /** Packed on the first side, but not on the second. */
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

/**
 * Finds files that `npm pack` packs on only one side. Whether a file is packed depends on its path and on the rules,
 * not on other files. So npm's library is only queried for files that one side lacks, and for files that a differing
 * line of the ignore files may match. If the manifests differ, it is queried for all files. (400 files take it half a
 * second.)
 * @param scratch a folder for temporary files
 */
export async function packDifference(
  one: PackSide,
  other: PackSide,
  scratch: string,
): Promise<PackDifference> {
  const [before, after] = await Promise.all([readSide(one), readSide(other)]);
  const all = new Set([...before.names, ...after.names]);
  const isAsked =
    before.manifest === after.manifest
      ? await differingLines(one, before, other, after)
      : () => true;
  const asked = [...all].filter(
    (path) =>
      !before.names.has(path) || !after.names.has(path) || isAsked(path),
  );
  const packed = async ({ view, dir }: PackSide, { names, named }: Side) => {
    const own = new Set(asked.filter((path) => names.has(path)));
    if (own.size === 0) return own;
    const only = [...own, ...named.values()];
    const found = await packedFiles(view, dir, scratch, { only });
    return new Set((found ?? []).filter((path) => own.has(path)));
  };
  const [here, there] = [await packed(one, before), await packed(other, after)];
  return { gone: without(here, there), came: without(there, here) };
}

interface Side {
  readonly names: ReadonlySet<string>;
  /** For each entry of `files` that is a path: an existing file. */
  readonly named: ReadonlyMap<string, string>;
  /** The fields of the manifest that matter, as text. */
  readonly manifest: string;
  /** The effective ignore file of each folder of the package. */
  readonly ignoring: ReadonlyMap<string, TreeFile>;
  /** The effective ignore files of the folders above, the top first. */
  readonly above: readonly TreeFile[];
}

async function readSide({ view, dir }: PackSide): Promise<Side> {
  const files = (await view.list(dir))
    .filter(({ mode }) => mode.startsWith("100"))
    .map((file) => ({
      file,
      inside: dir === "" ? file.path : file.path.slice(dir.length + 1),
    }));
  const names = new Set(files.map(({ inside }) => inside));
  const manifest = await fieldsOf(view, dir);
  const fields = packFields(manifest ?? {});
  const named = namedFiles(fields, names);
  const ignoring = new Map<string, TreeFile>();
  for (const { file, inside } of files) {
    const folder = posix.dirname(inside);
    if (!isPackRule(inside)) continue;
    // .npmignore takes precedence over .gitignore.
    if (inside.endsWith(".npmignore") || !ignoring.has(folder))
      ignoring.set(folder, file);
  }
  return {
    names,
    named,
    manifest: JSON.stringify([
      manifest !== undefined,
      fields,
      // npm checks whether an entry is a file or a folder.
      [...named].map(([entry, file]) => [entry, entry === file]),
    ]),
    ignoring,
    // `files` takes precedence over rules in parent folders.
    above: fields["files"] === undefined ? await rulesAbove(view, dir) : [],
  };
}

/** Returns a predicate: whether a line that only one side has may match a path. */
async function differingLines(
  one: PackSide,
  before: Side,
  other: PackSide,
  after: Side,
): Promise<MayMatch> {
  const folders = new Set([
    ...before.ignoring.keys(),
    ...after.ignoring.keys(),
  ]);
  const inside = (side: Side) =>
    [...folders].map((folder) => [side.ignoring.get(folder) ?? []].flat());
  const theirs = [after.above, ...inside(after)];
  const found: MayMatch[] = [];
  for (const [index, here] of [before.above, ...inside(before)].entries()) {
    const there = theirs[index] ?? [];
    if (sameIds(here, there)) continue;
    const lines = onlyOnOneSide(
      await linesOf(one.view, here),
      await linesOf(other.view, there),
    );
    found.push(...lines.flatMap((line) => mayMatch(line) ?? []));
  }
  return (path) => found.some((may) => may(path));
}

function sameIds(
  some: readonly TreeFile[],
  others: readonly TreeFile[],
): boolean {
  const ids = (files: readonly TreeFile[]) => files.map(({ id }) => id).join();
  return ids(some) === ids(others);
}

async function linesOf(
  view: TreeView,
  files: readonly TreeFile[],
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const file of files)
    texts.push((await view.content(file))?.toString("utf8") ?? "");
  return texts.flatMap((text) => text.split(/\r?\n/));
}

/** Returns the lines between the common beginning and the common end. The order of lines counts. */
function onlyOnOneSide(
  some: readonly string[],
  others: readonly string[],
): readonly string[] {
  const shorter = Math.min(some.length, others.length);
  let first = 0;
  while (first < shorter && some[first] === others[first]) first += 1;
  let last = 0;
  while (last < shorter - first && some.at(-1 - last) === others.at(-1 - last))
    last += 1;
  return [some, others].flatMap((lines) =>
    lines.slice(first, lines.length - last),
  );
}

function namedFiles(
  { files }: Fields,
  names: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const all = [...names];
  const named = new Map<string, string>();
  for (const entry of Array.isArray(files) ? (files as string[]) : []) {
    const path = posix
      .join("/", entry.replace(/^!+/, ""))
      .replace(/^\/|\/$/g, "");
    const file = names.has(path)
      ? path
      : all.find((name) => path === "" || name.startsWith(`${path}/`));
    if (file !== undefined) named.set(path, file);
  }
  return named;
}

async function rulesAbove(
  view: TreeView,
  dir: string,
): Promise<readonly TreeFile[]> {
  const found = new Map<string, TreeFile>();
  for (const path of packRulesAbove(dir)) {
    const file = await view.stat(path);
    const folder = posix.dirname(path);
    if (file && !found.has(folder)) found.set(folder, file);
  }
  return [...found.values()].reverse();
}

function without(
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): string[] {
  return [...some].filter((path) => !others.has(path)).sort();
}
