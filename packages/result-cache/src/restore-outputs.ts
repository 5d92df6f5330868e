import { hash } from "node:crypto";
import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  rename,
  rm,
  rmdir,
  symlink,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { findOutputs, type Found } from "./collect-outputs.js";
import { parentsOf, type OutputItem } from "./manifest.js";
import type { OutputRules } from "./output-rules.js";
import type { Store } from "./store.js";

export interface RestoreRequest {
  /** The package's folder, absolute. */
  readonly folder: string;
  readonly items: readonly OutputItem[];
  readonly rules: OutputRules;
  readonly store: Store;
  /** A folder on the package's file system that doesn't exist yet. It is deleted afterwards. */
  readonly stage: string;
}

/**
 * Whether outputs were restored. `damaged` means that a content is missing or differs from its hash. In that case,
 * nothing was changed.
 */
export type Restored =
  | { readonly kind: "restored" }
  | { readonly kind: "damaged"; readonly path: string }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Makes the outputs of a package exactly those of the manifest. It checks and stages everything before the first file
 * changes. Then it renames each file into its place, and deletes files that aren't in the manifest, if the globs of
 * outputs match them and git ignores them.
 * @throws the errors of the file system
 */
export async function restoreOutputs(
  request: RestoreRequest,
): Promise<Restored> {
  const { folder, items, rules, store, stage } = request;
  const listed = new Map(items.map((item) => [item.path, item]));
  const present = await findOutputs(folder, rules);
  const stale = present.filter(
    ({ path, kind }) => listed.get(path)?.kind !== kind,
  );
  const why = await refusalOf(request, stale);
  if (why !== undefined) return { kind: "refused", why };
  try {
    await mkdir(stage, { recursive: true, mode: 0o700 });
    const staged: { readonly from: string; readonly path: string }[] = [];
    for (const item of items) {
      if (item.kind === "folder" || isInPlace(folder, item)) continue;
      const from = join(stage, String(staged.length));
      if (item.kind === "link") await symlink(item.target, from);
      else {
        if (!(await store.takeOut(item.hash, item.bytes, from)))
          return { kind: "damaged", path: item.path };
        await chmod(from, item.mode);
      }
      staged.push({ from, path: item.path });
    }
    for (const { path, kind } of stale)
      await (kind === "folder"
        ? rmdir(join(folder, path))
        : rm(join(folder, path)));
    await removeEmptied(folder, stale, rules);
    for (const { from, path } of staged) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await rename(from, join(folder, path));
    }
    for (const { kind, path } of items)
      if (kind === "folder")
        await mkdir(join(folder, path), { recursive: true });
    return { kind: "restored" };
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** Returns why a manifest can't be restored here: it has a path that isn't an output, or something is in the way. */
async function refusalOf(
  { folder, items, rules }: RestoreRequest,
  stale: readonly Found[],
): Promise<string | undefined> {
  const going = new Set(stale.map(({ path }) => path));
  const parents = new Set<string>();
  for (const { path } of items) {
    // The globs of this run are those with which the result was cached. A manifest with other paths doesn't come from
    // such a run.
    if (!rules.matches(path)) return `${path} is not an output of this script`;
    if (rules.isSource(path)) return `${path} is not ignored by git`;
    for (const parent of parentsOf(path)) parents.add(parent);
  }
  for (const parent of parents) {
    if (going.has(parent)) continue;
    const stats = await lstat(join(folder, parent)).catch(() => undefined);
    if (stats && !stats.isDirectory()) return `${parent} is not a folder`;
  }
  for (const { path, kind } of items) {
    if (kind === "folder") continue;
    const stats = await lstat(join(folder, path)).catch(() => undefined);
    // The folder becomes empty if it contains only outputs.
    if (
      stats?.isDirectory() &&
      !(await holdsOnly(join(folder, path), path, going))
    )
      return `${path} is a folder`;
  }
  return undefined;
}

async function holdsOnly(
  folder: string,
  path: string,
  going: ReadonlySet<string>,
): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inner = `${path}/${entry.name}`;
    if (going.has(inner)) continue;
    if (
      !entry.isDirectory() ||
      !(await holdsOnly(join(folder, entry.name), inner, going))
    )
      return false;
  }
  return true;
}

/**
 * Returns whether a file or a link already has the right content. Usually, thousands of small files do. They are read
 * synchronously, because handing them to another thread costs more than the read.
 */
function isInPlace(
  folder: string,
  item: Exclude<OutputItem, { readonly kind: "folder" }>,
): boolean {
  const file = join(folder, item.path);
  try {
    const stats = lstatSync(file);
    if (item.kind === "link")
      return stats.isSymbolicLink() && readlinkSync(file) === item.target;
    return (
      stats.isFile() &&
      stats.size === item.bytes &&
      (stats.mode & 0o7777) === item.mode &&
      hash("sha256", readFileSync(file), "hex") === item.hash
    );
  } catch {
    return false; // The path doesn't exist, or a parent isn't a folder.
  }
}

/** Removes folders that contained only stale outputs, starting with the innermost. */
async function removeEmptied(
  folder: string,
  stale: readonly Found[],
  { bases }: OutputRules,
): Promise<void> {
  const parents = new Set(stale.flatMap(({ path }) => parentsOf(path)));
  const inside = [...parents].filter((path) =>
    bases.some(
      (base) => path === base || path.startsWith(base === "" ? "" : `${base}/`),
    ),
  );
  for (const path of inside.sort((a, b) => b.length - a.length))
    // A folder that isn't empty stays.
    await rmdir(join(folder, path)).catch(() => undefined);
}
