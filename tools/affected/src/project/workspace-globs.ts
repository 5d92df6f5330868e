import { Failure, usageFailure } from "@skein/reporting/failure";
import { printable } from "@skein/reporting/printable";
import type { Project, ProjectFiles } from "@skein/workspaces";

/**
 * Returns warnings about globs in the root's `workspaces` that match nothing.
 * @param isWhole whether the project certainly contains all workspaces. If not, because yarn.lock lacks some, files are listed
 * @throws {Failure} if none of the globs matches anything, or if another tool's file names the workspaces: then nothing would
 * ever be affected, and everything would be green
 */
export async function workspaceGlobWarnings(
  { root, unmatchedGlobs: suspects }: Project,
  files: ProjectFiles,
  isWhole: boolean,
): Promise<string[]> {
  if (root.workspaces.length === 0) await requireNoOtherList(files);
  if (suspects.length === 0) return [];
  const { positiveGlobs, unmatchedGlobs } =
    await import("@skein/workspaces/unmatched-globs");
  const unmatched = isWhole
    ? suspects
    : unmatchedGlobs(root.workspaces, await manifestFolders(files), suspects);
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

/** Files in which other tools list the folders of packages, with the beginning of that list. */
const OTHER_LISTS = [
  ["pnpm-workspace.yaml", /^["']?packages["']?\s*:/m],
  ["lerna.json", /"packages"\s*:/],
] as const;

/** @throws {Failure} (usage) if a file that Yarn doesn't read lists workspaces */
async function requireNoOtherList(files: ProjectFiles): Promise<void> {
  for (const [file, list] of OTHER_LISTS)
    if (list.test((await files.read(file))?.toString("utf8") ?? ""))
      throw usageFailure(
        `package.json has no "workspaces", and ${file} isn't read`,
        {
          hint: 'Skein is for workspaces of Yarn and npm; name the folders in package.json: "workspaces": ["packages/*"]',
        },
      );
}

async function manifestFolders(files: ProjectFiles): Promise<string[]> {
  const end = "/package.json";
  const paths = await files.list();
  return paths
    .filter((path) => path.endsWith(end))
    .map((path) => path.slice(0, -end.length));
}
