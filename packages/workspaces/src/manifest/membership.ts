import { remember } from "@skein/reporting/group-by";
import { compileWorkspaceGlobs } from "./globs.js";

/**
 * A function that returns the `workspaces` globs of the workspace in a folder, `.` for the root; undefined if there is
 * none.
 */
export type GlobsAt = (dir: string) => Promise<readonly string[] | undefined>;

/**
 * Returns a function that checks whether a folder with a manifest is a workspace, by the globs of the root and of the
 * workspaces that contain it. It reads each workspace's globs once.
 */
export function openMembership(
  globsAt: GlobsAt,
): (dir: string) => Promise<boolean> {
  const matcherAt = remember(async (parent: string) => {
    const globs = await globsAt(parent);
    return globs && compileWorkspaceGlobs(globs);
  });
  return async (dir) => {
    for (const parent of parentsOf(dir)) {
      const inside = parent === "." ? dir : dir.slice(parent.length + 1);
      if ((await matcherAt(parent))?.(inside)) return true;
    }
    return false;
  };
}

/** Returns the root, and each folder on the path below it. */
function parentsOf(dir: string): string[] {
  const parts = dir.split("/");
  return [
    ".",
    ...parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/")),
  ];
}
