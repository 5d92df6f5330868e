import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import type { Change } from "@skein/changes";
import type { Repository } from "@skein/git";
import { cacheDirOf } from "../cache-dir.js";
import { diskFiles } from "../files.js";
import { openReferences, treeOf } from "../references.js";
import type { LocalSurvey } from "../survey.js";
import type { AffectedWorld } from "../world.js";

/** Files that decide which packages there are, how they depend on each other, and which files count. */
const PROJECT_FILES: ReadonlySet<string> = new Set([
  ...["package.json", "yarn.lock", ".yarnrc.yml", "skein.json"],
  ...[".gitignore", ".gitattributes", ".gitmodules"],
]);

/**
 * Surveys the project again after files were saved. The project, the settings and git's answers are those of an earlier
 * survey; only references are read again, of the saved files.
 * @param facts a survey of the working tree since HEAD. It remains a description of the working tree even if HEAD moves,
 *   because all files that differ from its commit are among its changes.
 * @param saved all files that were written since, from the project's folder
 * @returns undefined where the saved files decide more than references, so that everything has to be read again
 */
export async function surveySaved(
  { env }: Pick<AffectedWorld, "env">,
  facts: LocalSurvey,
  saved: readonly string[],
  script: string,
): Promise<LocalSurvey | undefined> {
  if (!saved.every((path) => isPlain(facts.root, path))) return undefined;
  const changes = withSaved(facts, saved);
  // Nobody asked for edges of sources.
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
  return references?.unreadable === 0 && references.unlisted.length === 0
    ? { ...facts, repository, changes, references }
    : undefined;
}

/** Notes the id of the project's tree, so that git is asked for it only once. */
async function withTree(
  repository: Repository,
  commit: string,
  prefix: string,
): Promise<Repository> {
  const tree = await treeOf(repository, commit, prefix);
  const known = { ...repository.known, tree };
  return { ...repository, head: commit, prefix, known };
}

/** Whether a path is a file, or nothing any more, and decides nothing of the project itself. */
function isPlain(root: string, path: string): boolean {
  const stats = lstatSync(join(root, path), { throwIfNoEntry: false });
  return (
    !path.startsWith("../") &&
    !PROJECT_FILES.has(basename(path)) &&
    (stats === undefined || stats.isFile())
  );
}

/** All that differs from the commit: what differed before, and the saved files. */
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
