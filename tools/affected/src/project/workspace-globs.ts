import { Failure } from "@skein/reporting/failure";
import { printable } from "@skein/reporting/printable";
import type { Project, ProjectFiles } from "@skein/workspaces";

/**
 * Returns warnings about globs in the root's `workspaces` that match nothing.
 * @param files listed if the project may lack workspaces, because yarn.lock doesn't contain all of them; otherwise
 * undefined
 * @throws {Failure} if none of the globs matches anything: then nothing would ever be affected, and everything would be
 * green
 */
export async function workspaceGlobWarnings(
  { root, unmatchedGlobs: suspects }: Project,
  files: ProjectFiles | undefined,
): Promise<string[]> {
  if (suspects.length === 0) return [];
  const { positiveGlobs, unmatchedGlobs } =
    await import("@skein/workspaces/unmatched-globs");
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
