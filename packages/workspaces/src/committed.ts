import { join, resolve } from "node:path";
import type { Repository, Tree } from "@skein/git";
import type { ProjectFiles } from "./read-packages.js";

/**
 * Finds the project that a folder belongs to as Yarn does, but in HEAD, for a repository without a working tree: the
 * nearest folder above with a yarn.lock, else the highest with a package.json.
 * @returns the absolute path that it would have; undefined if HEAD contains none
 */
export async function findCommittedRoot({
  git,
  head,
  prefix,
  topLevel,
  gitDir,
  known,
}: Repository): Promise<string | undefined> {
  if (head === undefined) return undefined;
  const top = topLevel ?? gitDir;
  // Most callers asked for this file when they opened the repository.
  if (known.blobs.get("yarn.lock") !== undefined)
    return resolve(top, join(prefix, "."));
  const parts = prefix.split("/").filter(Boolean);
  const dirs = Array.from({ length: parts.length + 1 }, (_, above) =>
    parts
      .slice(0, parts.length - above)
      .map((part) => `${part}/`)
      .join(""),
  );
  const names = ["yarn.lock", "package.json"];
  // This only lists names, so a partial clone fetches no files for it.
  const { stdout } = await git.run([
    ...["ls-tree", "-z", "--name-only", "--full-tree", "--end-of-options"],
    ...[head, ...dirs.flatMap((dir) => names.map((name) => dir + name))],
  ]);
  const there = new Set(stdout.toString("utf8").split("\0"));
  const found =
    dirs.find((dir) => there.has(`${dir}yarn.lock`)) ??
    dirs.findLast((dir) => there.has(`${dir}package.json`));
  return found === undefined ? undefined : resolve(top, join(found, "."));
}

/**
 * Returns the project's files in a tree.
 * @param prefix the project's folder from the top: "" or with a final `/`
 */
export function treeFiles(tree: Tree, prefix: string): ProjectFiles {
  return {
    name: tree.name,
    read: (path) => tree.read(prefix + path),
    async list() {
      const entries = await tree.list();
      return entries
        .filter(({ path }) => path.startsWith(prefix))
        .map(({ path }) => path.slice(prefix.length));
    },
  };
}
