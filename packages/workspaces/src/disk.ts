import { existsSync } from "node:fs";
import { join } from "node:path";
import { openGit, splitNul, type OpenGitOptions } from "@skein/git";
import { ifMissing, readRegularFile } from "@skein/reporting";
import type { ProjectFiles } from "./read-packages.js";

/** Returns the files of a workspace on the disk: tracked files, and untracked files that aren't ignored. */
export function filesOnDisk(
  root: string,
  world: Pick<OpenGitOptions, "env" | "signal">,
): ProjectFiles {
  return {
    name: "",
    read: (path) => readRegularFile(join(root, path)).catch(ifMissing),
    async list() {
      const { stdout } = await openGit({ ...world, cwd: root }).run([
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
      ]);
      return splitNul(stdout).filter((path) => existsSync(join(root, path)));
    },
  };
}
