import { join } from "node:path";
import type { Repository } from "@skein/git";

/**
 * Returns the folder for the graph, the indexes and the durations of earlier runs. It is beside git's own objects, so
 * that all worktrees share it and it disappears with the clone.
 */
export function cacheDirOf(
  env: Readonly<Record<string, string | undefined>>,
  { commonDir }: Pick<Repository, "commonDir">,
): string {
  const { SKEIN_CACHE_DIR: dir = "" } = env;
  return dir === "" ? join(commonDir, "skein") : dir;
}
