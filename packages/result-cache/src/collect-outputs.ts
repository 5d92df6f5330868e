import type { Dirent } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import { isForbidden, manifestRefusal, type OutputItem } from "./manifest.js";
import type { OutputRules } from "./output-rules.js";
import type { Store } from "./store.js";

/** The outputs of a script. */
export type Collected =
  | { readonly kind: "collected"; readonly items: readonly OutputItem[] }
  /** The outputs can't be cached. */
  | { readonly kind: "refused"; readonly why: string };

/** An existing path that may be an output. */
export interface Found {
  /** Relative to the package's folder. */
  readonly path: string;
  readonly kind: "file" | "link" | "folder" | "other";
}

/**
 * Lists the paths of a package that may be outputs. It follows no symlinks. A file that git tracks or doesn't ignore is
 * a source and never an output.
 * @param folder the package's, absolute
 * @returns files, links and empty folders, sorted by path
 */
export async function findOutputs(
  folder: string,
  rules: OutputRules,
): Promise<readonly Found[]> {
  const found = new Map<string, Found>();
  const walk = async (
    path: string,
    entry: Pick<Dirent, "isDirectory" | "isFile" | "isSymbolicLink">,
  ) => {
    if (!entry.isDirectory()) {
      const kind = entry.isFile()
        ? "file"
        : entry.isSymbolicLink()
          ? "link"
          : "other";
      if (rules.matches(path) && !rules.isSource(path))
        found.set(path, { path, kind });
      return;
    }
    const names = await readdir(join(folder, path), { withFileTypes: true });
    if (names.length === 0 && path !== "" && rules.matches(path))
      found.set(path, { path, kind: "folder" });
    for (const name of names)
      if (!isForbidden(name.name))
        await walk(path === "" ? name.name : `${path}/${name.name}`, name);
  };
  for (const base of rules.bases) {
    const start = await firstLink(folder, base);
    const entry = await lstat(join(folder, start)).catch(() => undefined);
    if (entry) await walk(start, entry);
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns the path up to its first symlink; the whole path if it has none. Files behind a link aren't part of the
 * package.
 */
async function firstLink(folder: string, path: string): Promise<string> {
  const parts = path === "" ? [] : path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const above = parts.slice(0, depth).join("/");
    const stats = await lstat(join(folder, above)).catch(() => undefined);
    if (stats?.isSymbolicLink()) return above;
  }
  return path;
}

/** Puts the outputs of a script that has passed into the store. */
export async function collectOutputs(
  folder: string,
  rules: OutputRules,
  store: Store,
): Promise<Collected> {
  const items: OutputItem[] = [];
  for (const { path, kind } of await findOutputs(folder, rules)) {
    const file = join(folder, path);
    if (kind === "folder") items.push({ kind, path });
    else if (kind === "link")
      items.push({ kind, path, target: await readlink(file) });
    else if (kind === "file") {
      const mode = (await lstat(file)).mode & 0o7777;
      items.push({ kind, path, mode, ...(await store.putFile(file)) });
    } else return { kind: "refused", why: `${path} isn't a file` };
  }
  const why = manifestRefusal(items);
  return why === undefined
    ? { kind: "collected", items }
    : { kind: "refused", why };
}
