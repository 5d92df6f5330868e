import { readFile as readWithCallback, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { Changeset } from "@skein/changes";
import { splitNul, type Repository } from "@skein/git";
import { assertReadable } from "@skein/reporting/regular-file";
import type { ProjectFiles } from "@skein/workspaces";
import { relativeTo } from "@skein/workspaces/paths";

/**
 * Reads a file as `node:fs/promises` does. Loading that module takes longer than reading the few files of most runs.
 */
const readFile = promisify(readWithCallback);

/**
 * Returns the project's files on the disk.
 * @param root the project's folder, absolute
 * @param repository needed only for the list
 */
export function diskFiles(
  root: string,
  repository: () => Promise<Repository>,
): ProjectFiles {
  let leftOut: Promise<ReadonlyMap<string, Buffer>> | undefined;
  const readLeftOut = async (path: string) => {
    const { leftOutManifests } = await import("./left-out.js");
    const { topLevel, ...rest } = await repository();
    leftOut ??= leftOutManifests(rest);
    return (await leftOut).get(prefixOf(topLevel ?? root, root) + path);
  };
  return {
    name: "",
    async read(path) {
      const file = join(root, path);
      try {
        // Most runs look only for a skein.json that doesn't exist. An asynchronous call would start threads to find
        // that out.
        const stats = statSync(file, { throwIfNoEntry: false });
        if (!stats)
          return path.endsWith("/package.json")
            ? await readLeftOut(path)
            : undefined;
        assertReadable(stats, path);
        return await readFile(file);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async list() {
      // Ignored files aren't sources. New files are, even if git doesn't track them yet.
      const args = [
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
      ];
      const { git, topLevel } = await repository();
      const prefix = prefixOf(topLevel ?? root, root);
      const { stdout } = await git.run(args);
      return splitNul(stdout)
        .filter((path) => path.startsWith(prefix))
        .map((path) => path.slice(prefix.length));
    },
  };
}

/**
 * Returns the files at the other end of a change. Untouched files are the same at both ends, so they aren't read twice.
 */
export function untouchedFrom(
  head: ProjectFiles,
  base: ProjectFiles,
  touched: ReadonlySet<string>,
): ProjectFiles {
  return {
    name: base.name,
    read: (path) => (touched.has(path) ? base.read(path) : head.read(path)),
    list: () => base.list(),
  };
}

/** Returns files that are listed only once, and read only once each. */
export function remembered(files: ProjectFiles): ProjectFiles {
  const reads = new Map<string, Promise<Buffer | undefined>>();
  let listing: ReturnType<ProjectFiles["list"]> | undefined;
  return {
    ...files,
    list: () => (listing ??= files.list()),
    read(path) {
      const known = reads.get(path) ?? files.read(path);
      reads.set(path, known);
      return known;
    },
  };
}

/** Returns whether the head of a changeset is on the disk. */
export function isOnDisk({ source }: Changeset): boolean {
  return source.kind === "git"
    ? source.includesWorkingTree
    : source.kind === "list";
}

/** Returns those of the files and folders that git ignores. @param paths from the project's folder, without a final `/` */
export async function ignoredOf(
  { git }: Repository,
  root: string,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const absolute = paths.map((path) => join(root, path));
  const { stdout } = await git.run(["check-ignore", "-z", "--stdin"], {
    input: absolute.map((path) => `${path}\0`).join(""),
    answers: [0, 1],
    // This command doesn't support pathspecs, and fails if they are to be literal.
    env: { GIT_LITERAL_PATHSPECS: "0" },
  });
  const ignored = new Set(splitNul(stdout));
  return new Set(paths.filter((_, at) => ignored.has(absolute[at] ?? "")));
}

/** Returns a folder below another one as a prefix of paths: "" or with a final `/`. */
export function prefixOf(top: string, dir: string): string {
  const path = relative(top, dir).replaceAll(sep, "/");
  return path === "" ? "" : `${path}/`;
}

/** Returns a function from a path from the top of the repository to the same path from the project's folder. */
export function pathsFromTop(
  root: string,
  { topLevel }: Pick<Repository, "topLevel">,
): (path: string) => string {
  const dir = prefixOf(topLevel ?? root, root).slice(0, -1);
  return (path) => relativeTo(path, dir);
}

function isMissing(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(code);
}
