import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import type { Change } from "@skein/changes";
import type { Repository } from "@skein/git";
import { cacheDirOf } from "../cache-dir.js";
import { diskFiles } from "../files/files.js";
import { treeOf } from "../references/read-graph.js";
import { openReferences } from "../references/references.js";
import type { LocalSurvey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** Files that determine which packages exist, their dependencies, and which files count. */
const PROJECT_FILES: ReadonlySet<string> = new Set([
  ...["package.json", "yarn.lock", ".yarnrc.yml", "skein.json"],
  ...[".gitignore", ".gitattributes", ".gitmodules"],
]);

/**
 * Surveys the project again after files were saved. It reuses the project, the settings and git's answers of an earlier
 * survey, and reads only the references of the saved files.
 * @param facts a survey of the working tree since HEAD. It still describes the working tree if HEAD moves, because its
 *   changes include all files that differ from its commit.
 * @param saved all files that were written since, relative to the project's folder
 * @returns undefined if the saved files determine more than references, so that everything must be read again
 */
export async function surveySaved(
  { env }: Pick<AffectedWorld, "env">,
  facts: LocalSurvey,
  saved: readonly string[],
  script: string,
): Promise<LocalSurvey | undefined> {
  if (!saved.every((path) => isPlain(facts.root, path))) return undefined;
  const changes = withSaved(facts, saved);
  // The caller doesn't need edges from sources.
  if (!facts.references) return { ...facts, changes };
  const { root, prefix, changeset } = facts;
  const commit = changeset.head?.commit;
  if (commit === undefined) return undefined;
  const repository = await withTree(facts.repository, commit, prefix);
  const references = await openReferences({
    ...facts,
    repository,
    changes,
    script,
    files: diskFiles(root, () => Promise.resolve(repository)),
    cacheDir: cacheDirOf(env, repository),
  });
  return references?.unreadable.length === 0 && references.unlisted.length === 0
    ? { ...facts, repository, changes, references }
    : undefined;
}

/** Adds the id of the project's tree, so that git is asked for it only once. */
async function withTree(
  repository: Repository,
  commit: string,
  prefix: string,
): Promise<Repository> {
  const tree = await treeOf(repository, commit, prefix);
  const known = { ...repository.known, tree };
  return { ...repository, head: commit, prefix, known };
}

/** Returns whether a path is a file or doesn't exist, and doesn't determine the project itself. */
function isPlain(root: string, path: string): boolean {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  return (
    !path.startsWith("../") &&
    !PROJECT_FILES.has(basename(path)) &&
    (stats === undefined || stats.isFile())
  );
}

/** Returns all differences from the commit: the earlier ones, and the saved files. */
function withSaved(
  { root, changes }: LocalSurvey,
  saved: readonly string[],
): readonly Change[] {
  const all = new Map(changes.map((change) => [change.path, change]));
  for (const path of saved) {
    const exists = lstatSync(join(root, path), { throwIfNoEntry: false });
    const known = all.get(path);
    if (!exists) all.set(path, { path, kind: "deleted", origin: "unstaged" });
    else if (!known || known.kind === "deleted")
      all.set(path, { path, kind: "modified", origin: "unstaged" });
  }
  return [...all.values()];
}
