import { commitTree, openObjects, type Repository } from "@skein/git";
import type { ProjectFiles, Settings } from "@skein/workspaces";
import { defaultSettings } from "@skein/workspaces/default-settings";
import { prefixOf } from "../files/files.js";

/** Reads skein.json from a project's files; returns the defaults if there is none. @throws {SettingsError} */
export async function readSettings({
  read,
}: Pick<ProjectFiles, "read">): Promise<Settings> {
  const bytes = await read("skein.json");
  if (!bytes) return defaultSettings;
  const { parseSettings } = await import("@skein/workspaces/parse-settings");
  return parseSettings(bytes.toString("utf8"));
}

/** Reads skein.json of HEAD; returns the defaults if there is none. @param root the project's folder, absolute */
export function committedSettings(
  repository: Repository,
  root: string,
): Promise<Settings> {
  const prefix = prefixOf(repository.topLevel ?? repository.gitDir, root);
  return readSettings({
    read: (path) => readCommitted(repository, prefix + path),
  });
}

/** Reads a file of HEAD by its path from the top of the repository. */
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
