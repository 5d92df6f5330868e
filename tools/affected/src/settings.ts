import { commitTree, openObjects } from "@skein/git";
import type { Repository } from "@skein/git";
import { defaultSettings, parseSettings } from "@skein/workspaces";
import type { ProjectFiles, Settings } from "@skein/workspaces";
import { prefixOf } from "./files.js";

/** Reads skein.json of a project's files; the defaults where there is none. @throws {SettingsError} */
export async function readSettings({
  read,
}: Pick<ProjectFiles, "read">): Promise<Settings> {
  const bytes = await read("skein.json");
  return bytes ? parseSettings(bytes.toString("utf8")) : defaultSettings;
}

/** The same of HEAD. @param root the project's folder, absolute */
export function committedSettings(
  repository: Repository,
  root: string,
): Promise<Settings> {
  const prefix = prefixOf(repository.topLevel ?? repository.gitDir, root);
  return readSettings({
    read: (path) => readCommitted(repository, prefix + path),
  });
}

/** A file of HEAD by its path from the top of the repository. */
export async function readCommitted(
  { git, head }: Repository,
  path: string,
): Promise<Buffer | undefined> {
  if (head === undefined) return undefined;
  const objects = openObjects(git);
  try {
    return await commitTree(git, objects, head).read(path);
  } finally {
    objects.close();
  }
}
