import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { openGit, type OpenGitOptions } from "@skein/git";
import { readRegularFile } from "@skein/reporting";
import type { ProjectFiles } from "./read-packages.js";

/** Finds the root as Yarn does: the nearest folder above with a yarn.lock, else the highest with a package.json. */
export function findRoot(cwd: string): string | undefined {
  let highest: string | undefined;
  for (let dir = cwd; ; dir = dirname(dir)) {
    if (existsSync(join(dir, "yarn.lock"))) return dir;
    if (existsSync(join(dir, "package.json"))) highest = dir;
    if (dir === dirname(dir)) return highest;
  }
}

/** Returns the files of a workspace on the disk: tracked files, and untracked files that aren't ignored. */
export function filesOnDisk(
  root: string,
  world: Pick<OpenGitOptions, "env" | "signal">,
): ProjectFiles {
  return {
    name: "",
    read: (path) =>
      readRegularFile(join(root, path)).catch((error: unknown) => {
        const { code } = error as NodeJS.ErrnoException;
        if (code === "ENOENT" || code === "ENOTDIR") return undefined;
        throw error;
      }),
    async list() {
      const { stdout } = await openGit({ ...world, cwd: root }).run([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
      ]);
      return stdout
        .toString("utf8")
        .split("\0")
        .filter((path) => path !== "" && existsSync(join(root, path)));
    },
  };
}
