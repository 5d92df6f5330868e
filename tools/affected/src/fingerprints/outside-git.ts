import { readdirSync, type Dirent } from "node:fs";
import { join, sep } from "node:path";
import { splitNul, type Repository } from "@skein/git";
import { ignoredOf, pathsFromTop } from "../files/files.js";

/**
 * Files that installs, editors and tools leave, by the name of the file or of any folder above it. None of them is an input
 * of a script.
 */
const LEFT_BY_TOOLS =
  /(?:^|\/)(?:node_modules|\.git|\.yarn|\.pnp\.[^/]*|\.nx|\.turbo|\.cache|\.parcel-cache|\.nyc_output|coverage|\.idea|\.vscode|\.DS_Store|\.(?:eslint|stylelint|prettier)cache|[^/]*\.(?:tsbuildinfo|log|tgz|swp))(?:\/|$)/;

/** Returns whether installs, editors or tools leave such a path behind. */
export function isLeftByTools(path: string): boolean {
  return LEFT_BY_TOOLS.test(path);
}

/** Files in the working tree other than tracked and new files, without those that installs and tools leave behind. */
export interface OutsideGit {
  /** Files and folders that git ignores, from the project's folder. A folder ends with `/` and means everything in it. */
  readonly ignored: readonly string[];
  /** Folders without any file, which git neither tracks nor ignores, from the project's folder. */
  readonly empty: readonly string[];
}

/**
 * Lists what git ignores, and empty folders.
 * @param root the project's folder, absolute
 * @param untracked files that git neither tracks nor ignores, from the project's folder; undefined if they are unknown,
 *   and then empty folders aren't listed
 */
export async function listOutsideGit(
  root: string,
  repository: Repository,
  untracked: Promise<Iterable<string>> | undefined,
): Promise<OutsideGit> {
  const { stdout } = await repository.git.run([
    ...["ls-files", "-z", "--others", "--directory"],
    ...(untracked ? [] : ["--ignored", "--exclude-standard"]),
  ]);
  const paths = splitNul(stdout)
    .filter((path) => !isLeftByTools(path))
    .map(pathsFromTop(root, repository))
    .filter((path) => !path.startsWith("../"))
    .sort();
  if (!untracked)
    // A folder that git doesn't track is listed, too, before what it ignores in it.
    return {
      ignored: paths.filter(
        (path, at) => !path.endsWith("/") || !paths[at + 1]?.startsWith(path),
      ),
      empty: [],
    };
  const found = withoutNew(root, paths, new Set(await untracked));
  const empty = found.filter(
    (path) => path.endsWith("/") && !hasFile(join(root, path)),
  );
  if (empty.length === 0) return { ignored: found, empty };
  const isEmpty = new Set(empty);
  const names = empty.map((path) => path.slice(0, -1));
  const ignored = await ignoredOf(repository, root, names);
  return {
    ignored: found.filter((path) => !isEmpty.has(path)),
    empty: names
      .filter((path) => !ignored.has(path))
      .flatMap((path) => [path, ...foldersBelow(root, path)]),
  };
}

/** Returns paths without new files. Folders that contain new files are replaced by their other entries. */
function withoutNew(
  root: string,
  paths: readonly string[],
  untracked: ReadonlySet<string>,
): readonly string[] {
  const parents = new Set<string>();
  for (const path of untracked)
    for (
      let end = path.lastIndexOf("/");
      end > 0;
      end = path.lastIndexOf("/", end - 1)
    )
      parents.add(path.slice(0, end));
  const others = (path: string): readonly string[] => {
    const name = path.replace(/\/$/, "");
    // A new repository inside this one is a path without a final slash.
    if (untracked.has(name)) return [];
    if (!parents.has(name)) return [path];
    return entriesOf(join(root, name)).flatMap((entry) => {
      const inside = `${name}/${entry.name}`;
      if (isLeftByTools(inside)) return [];
      return others(entry.isDirectory() ? `${inside}/` : inside);
    });
  };
  return paths.flatMap(others);
}

/** Returns the entries of a folder; none if the folder can't be read. */
export function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function hasFile(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some(
      (entry) => !entry.isDirectory() || hasFile(join(folder, entry.name)),
    );
  } catch {
    return true; // It can't be read, so it isn't known to be empty.
  }
}

/** Lists the folders below a folder without files. */
function foldersBelow(root: string, path: string): readonly string[] {
  return readdirSync(join(root, path), { recursive: true, encoding: "utf8" })
    .map((name) => `${path}/${name.replaceAll(sep, "/")}`)
    .sort();
}
