import { existsSync } from "node:fs";
import { join } from "node:path";
import { openObjects, splitNul, type Repository } from "@skein/git";

/**
 * Reads the manifests that a sparse checkout leaves out. Their packages are workspaces nevertheless, and lead to their
 * dependents.
 * @returns contents by path from the top of the repository; empty without a sparse checkout
 */
export async function leftOutManifests({
  git,
  gitDir,
}: Pick<Repository, "git" | "gitDir">): Promise<ReadonlyMap<string, Buffer>> {
  const found = new Map<string, Buffer>();
  if (!existsSync(join(gitDir, "info/sparse-checkout"))) return found;
  // Each path follows a letter; files that git doesn't check out have an S.
  const { stdout } = await git.run(["ls-files", "-z", "-t", "--cached"]);
  const paths = splitNul(stdout).flatMap((line) =>
    /^S [^\n]*\/package\.json$/.test(line) ? [line.slice(2)] : [],
  );
  const objects = openObjects(git);
  try {
    await Promise.all(
      paths.map(async (path) => {
        const object = await objects.read(`:0:${path}`);
        if (object?.type === "blob") found.set(path, object.content);
      }),
    );
  } finally {
    objects.close();
  }
  return found;
}
