import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDiffRaw, readAbsent, type Repository } from "@skein/git";
import { pathsFromTop } from "../files/files.js";

/** The state of a file that doesn't exist. */
export const GONE = "gone";

/**
 * Tracked files that differ from git's tree although `git status` doesn't report them. Each has its mode, or is gone. A path
 * from the project's folder with a final `/` means all files of a folder.
 */
export type UnreportedFiles = readonly (readonly [
  path: string,
  mode: string,
])[];

/**
 * Lists the files that a sparse checkout excludes, and permissions that git is configured to ignore (`core.fileMode=false`).
 * Scripts notice both.
 * @param root the project's folder, absolute
 */
export async function readUnreported(
  root: string,
  repository: Repository,
): Promise<UnreportedFiles> {
  const { git, gitDir, topLevel } = repository;
  if (topLevel === undefined) return [];
  const [absent, modes] = await Promise.all([
    readAbsent(git, gitDir),
    readModes(repository),
  ]);
  const here = pathsFromTop(root, repository);
  return [
    ...absent.map((path) => {
      // Outside of the project's folder, the final slash would get lost.
      const [, name = "", slash = ""] = /^(.*?)(\/?)$/s.exec(path) ?? [];
      return [here(name) + slash, GONE] as const;
    }),
    ...modes.map(([path, mode]) => [here(path), mode] as const),
  ];
}

/** Changes the states of the files in a list. @param states by path: the mode and content id of a file */
export function applyUnreported(
  states: Map<string, string | undefined>,
  files: UnreportedFiles,
): void {
  const folders = files.flatMap(([path]) => (path.endsWith("/") ? [path] : []));
  if (folders.length > 0)
    for (const path of states.keys())
      if (folders.some((folder) => path.startsWith(folder)))
        states.delete(path);
  for (const [path, mode] of files) {
    const state = states.get(path);
    if (mode === GONE) states.delete(path);
    else if (state !== undefined) states.set(path, state.replace(/^\d+/, mode));
  }
}

/** Returns the files whose modes differ from those in the index, from the top, if git doesn't compare modes itself. */
async function readModes(
  repository: Repository,
): Promise<readonly (readonly [path: string, mode: string])[]> {
  if (!(await ignoresModes(repository))) return [];
  const { stdout } = await repository.git.run([
    ...["-c", "core.fileMode=true"],
    ...["diff-files", "-z", "--raw", "--no-abbrev", "--ignore-submodules=all"],
  ]);
  return parseDiffRaw(stdout).flatMap(({ path, oldMode, newMode }) =>
    oldMode !== newMode && newMode?.startsWith("100") === true
      ? [[path, newMode] as const]
      : [],
  );
}

async function ignoresModes({
  git,
  gitDir,
  commonDir,
}: Repository): Promise<boolean> {
  const file = join(commonDir, "config");
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const values = [...text.matchAll(/^\s*filemode\s*=\s*(\S*)/gim)];
  // Git writes the setting into each new repository. Only if something else may overrule it, git has to be asked.
  const isPlain =
    values.length > 0 &&
    values.every(([, value]) => value === "true") &&
    !/^\s*\[include/im.test(text) &&
    !existsSync(join(gitDir, "config.worktree"));
  if (isPlain) return false;
  const { stdout } = await git.run(
    ["config", "--type=bool", "--get", "core.fileMode"],
    { answers: [0, 1] },
  );
  return stdout.toString("latin1").trim() === "false";
}
