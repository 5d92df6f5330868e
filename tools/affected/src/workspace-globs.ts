import { Failure, printable } from "@skein/reporting";
import { positiveGlobs, unmatchedGlobs } from "@skein/workspaces";
import type { Project, ProjectFiles } from "@skein/workspaces";

/**
 * What there is to say of globs in the root's `workspaces` that match nothing.
 * @param files asked for their list where the project may lack workspaces (yarn.lock does not know all), else undefined
 * @throws {Failure} where none of the globs matches anything: nothing would ever be affected, and all be green
 */
export async function workspaceGlobWarnings(
  { root, unmatchedGlobs: suspects }: Project,
  files: ProjectFiles | undefined,
): Promise<string[]> {
  if (suspects.length === 0) return [];
  const unmatched = files
    ? unmatchedGlobs(root.workspaces, await manifestFolders(files), suspects)
    : suspects;
  const globs = positiveGlobs(root.workspaces);
  if (unmatched.length === globs.length) {
    throw new Failure(
      `no workspace matches what "workspaces" names: ${globs.map(printable).join(", ")}`,
      {
        place: { file: "package.json" },
        hint: "a workspace is a folder with a package.json that git does not ignore; correct the globs, or add the first one",
      },
    );
  }
  return unmatched.map(
    (glob) =>
      `package.json: no workspace matches ${printable(glob)} of "workspaces": correct it, or remove it`,
  );
}

async function manifestFolders(files: ProjectFiles): Promise<string[]> {
  const end = "/package.json";
  const paths = await files.list();
  return paths
    .filter((path) => path.endsWith(end))
    .map((path) => path.slice(0, -end.length));
}
