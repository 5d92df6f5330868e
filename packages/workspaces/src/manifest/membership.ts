import type { FolderMatcher } from "./globs.js";
import { compileWorkspaceGlobs } from "./globs.js";

/** The `workspaces` globs of the workspace in a folder, `.` for the root; undefined where none is. */
export type GlobsAt = (dir: string) => Promise<readonly string[] | undefined>;

/**
 * Tells of a folder with a manifest whether it is a workspace: by the globs of the root, or of a workspace that it lies in.
 * Each workspace is asked once.
 */
export function openMembership(
  globsAt: GlobsAt,
): (dir: string) => Promise<boolean> {
  const matchers = new Map<string, Promise<FolderMatcher | undefined>>();
  const compile = async (parent: string) => {
    const globs = await globsAt(parent);
    return globs && compileWorkspaceGlobs(globs);
  };
  return async (dir) => {
    for (const parent of parentsOf(dir)) {
      const matcher = matchers.get(parent) ?? compile(parent);
      matchers.set(parent, matcher);
      const inside = parent === "." ? dir : dir.slice(parent.length + 1);
      if ((await matcher)?.(inside)) return true;
    }
    return false;
  };
}

/** The root, and each folder on the way down from it. */
function parentsOf(dir: string): string[] {
  const parts = dir.split("/");
  return [
    ".",
    ...parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/")),
  ];
}
