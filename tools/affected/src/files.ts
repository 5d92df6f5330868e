import { readFile as readWithCallback, statSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import type { Changeset } from "@skein/changes";
import type { Repository } from "@skein/git";
import { assertReadable } from "@skein/reporting";
import type { ProjectFiles } from "@skein/workspaces";

/** As of `node:fs/promises`, which takes longer to load than to read the few files that most runs read. */
const readFile = promisify(readWithCallback);

/**
 * The project's files as they are on the disk.
 * @param root the project's folder, absolute
 * @param repository asked for the list only
 */
export function diskFiles(
  root: string,
  repository: () => Promise<Repository>,
): ProjectFiles {
  return {
    name: "",
    async read(path) {
      const file = join(root, path);
      try {
        // Most runs ask for nothing but a skein.json that is not there: threads would be started to hear so from one.
        const stats = statSync(file, { throwIfNoEntry: false });
        if (!stats) return undefined;
        assertReadable(stats, path);
        return await readFile(file);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async list() {
      // What git ignores is nobody's source; what is new belongs to it all the same.
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
      return stdout
        .toString("utf8")
        .split("\0")
        .filter((path) => path !== "" && path.startsWith(prefix))
        .map((path) => path.slice(prefix.length));
    },
  };
}

/** The other end of a change: what was not touched is the same at both, and is not read twice. */
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

/** Reads each file once. */
export function remembered(files: ProjectFiles): ProjectFiles {
  const reads = new Map<string, Promise<Buffer | undefined>>();
  return {
    ...files,
    read(path) {
      const known = reads.get(path) ?? files.read(path);
      reads.set(path, known);
      return known;
    },
  };
}

/** Whether the head of a changeset is what lies on the disk. */
export function isOnDisk({ source }: Changeset): boolean {
  return source.kind === "git"
    ? source.includesWorkingTree
    : source.kind === "list";
}

/** A folder below another as a prefix of paths: "" or with a final `/`. */
export function prefixOf(top: string, dir: string): string {
  const path = relative(top, dir).replaceAll(sep, "/");
  return path === "" ? "" : `${path}/`;
}

function isMissing(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return ["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(code);
}
