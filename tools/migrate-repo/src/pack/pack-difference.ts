import { posix } from "node:path";
import { fieldsOf } from "../steps/clean-up/package-files.js";
import type { TreeView } from "../tree/draft.js";
import {
  isPackRule,
  packedFiles,
  packFields,
  packRulesAbove,
  type Fields,
} from "./packed-files.js";

/** A package somewhere. */
export interface PackSide {
  readonly view: TreeView;
  /** The package's folder; `""` for the top. */
  readonly dir: string;
}

/** Paths from the package's folder, sorted. */
export interface PackDifference {
  /** Packed on the first side, and not on the second. */
  readonly gone: readonly string[];
  readonly came: readonly string[];
}

/**
 * What `npm pack` packs on one side and not on the other. Whether a file is packed depends on its path and on the rules,
 * not on other files: where both sides have the same rules, only files that one of them lacks are asked about. (To ask
 * about 400 files takes npm's library half a second.)
 * @param scratch a folder for temporary files
 */
export async function packDifference(
  one: PackSide,
  other: PackSide,
  scratch: string,
): Promise<PackDifference> {
  const [before, after] = await Promise.all([readSide(one), readSide(other)]);
  if (before.rules === after.rules) {
    const only = [
      ...without(before.names, after.names),
      ...without(after.names, before.names),
    ];
    if (only.length === 0) return { gone: [], came: [] };
    const packed = await packedFiles(one.view, one.dir, scratch, {
      only: [...only, ...before.named.values()],
    });
    const differing = (packed ?? []).filter((path) => only.includes(path));
    return {
      gone: differing.filter((path) => before.names.has(path)),
      came: differing.filter((path) => after.names.has(path)),
    };
  }
  const all = async ({ view, dir }: PackSide) =>
    new Set((await packedFiles(view, dir, scratch)) ?? []);
  const [here, there] = [await all(one), await all(other)];
  return { gone: without(here, there), came: without(there, here) };
}

interface Side {
  readonly names: ReadonlySet<string>;
  /** For each entry of `files` that is a path: a file that is there. */
  readonly named: ReadonlyMap<string, string>;
  /** All that decides beside a file's path, as text. */
  readonly rules: string;
}

async function readSide({ view, dir }: PackSide): Promise<Side> {
  const listed = (await view.list(dir))
    .filter(({ mode }) => mode.startsWith("100"))
    .map(({ path, id }) => ({
      id,
      path: dir === "" ? path : path.slice(dir.length + 1),
    }));
  const names = new Set(listed.map(({ path }) => path));
  const manifest = await fieldsOf(view, dir);
  const fields = packFields(manifest ?? {});
  const named = namedFiles(fields, names);
  return {
    names,
    named,
    rules: JSON.stringify([
      manifest !== undefined,
      fields,
      // npm asks of what kind they are.
      [...named].map(([entry, file]) => [entry, entry === file]),
      listed.filter(({ path }) => isPackRule(path)),
      // `files` outranks what folders above say.
      fields["files"] === undefined ? await rulesAbove(view, dir) : [],
    ]),
  };
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
): Promise<readonly unknown[]> {
  const files = await Promise.all(
    packRulesAbove(dir).map((path) => view.stat(path)),
  );
  return files.flatMap((file) => (file ? [[file.path, file.id]] : []));
}

function without(
  some: ReadonlySet<string>,
  others: ReadonlySet<string>,
): string[] {
  return [...some].filter((path) => !others.has(path)).sort();
}
