import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDiffRaw, readAbsent } from "@skein/git";
import type { Repository } from "@skein/git";
import { relativeTo } from "@skein/workspaces";
import { prefixOf } from "../files.js";

/**
 * Lists tracked files whose permissions differ from git's, if git was told to ignore permissions
 * (`core.fileMode=false`). Scripts notice them all the same.
 * @param root the project's folder, absolute
 * @returns modes by path from the project's folder; empty if git compares permissions itself
 */
export async function modesBesideGit(
  root: string,
  repository: Repository,
): Promise<ReadonlyMap<string, string>> {
  const { git, topLevel } = repository;
  if (topLevel === undefined || !(await ignoresModes(repository)))
    return new Map();
  const { stdout } = await git.run([
    ...["-c", "core.fileMode=true"],
    ...["diff-files", "-z", "--raw", "--no-abbrev", "--ignore-submodules=all"],
  ]);
  const dir = prefixOf(topLevel, root).slice(0, -1);
  return new Map(
    parseDiffRaw(stdout).flatMap(({ path, oldMode, newMode }) =>
      oldMode !== newMode && newMode?.startsWith("100") === true
        ? [[relativeTo(path, dir), newMode] as const]
        : [],
    ),
  );
}

/**
 * Lists tracked files that a sparse checkout leaves out: git calls them unchanged, and scripts don't find them.
 * @param root the project's folder, absolute
 * @returns paths from the project's folder. One with a final `/` stands for all files of a folder
 */
export async function absentFiles(
  root: string,
  { git, gitDir, topLevel }: Repository,
): Promise<readonly string[]> {
  if (topLevel === undefined) return [];
  const dir = prefixOf(topLevel, root).slice(0, -1);
  const absent = await readAbsent(git, gitDir);
  // Outside of the project's folder, the final slash would get lost.
  return absent.map((path) =>
    path.endsWith("/")
      ? `${relativeTo(path.slice(0, -1), dir)}/`
      : relativeTo(path, dir),
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
