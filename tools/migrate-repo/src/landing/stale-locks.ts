import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TargetFacts } from "../survey/target.js";
import type { Landing } from "./journal.js";

/**
 * Removes the locks of refs that a killed git left: those that hold the very id it was going to write, and the empty
 * ones: HEAD's, which git locks with the branch, and that of packed refs where some are deleted. A lock with another id
 * is somebody else's and stays.
 */
export async function removeStaleLocks(
  { commonDir, gitDir }: Pick<TargetFacts, "commonDir" | "gitDir">,
  { refs }: Pick<Landing, "refs">,
): Promise<void> {
  for (const update of refs) {
    const lock = join(commonDir, `${update.ref}.lock`);
    const text = await readFile(lock, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    // Git fills the lock in `prepare`; a kill before that leaves it empty.
    if (text.trim() !== (update.new ?? "") && text !== "") continue;
    await rm(lock, { force: true });
  }
  const locks = [join(gitDir, "HEAD.lock")];
  if (refs.some((update) => update.new === undefined))
    locks.push(join(commonDir, "packed-refs.lock"));
  for (const lock of locks) {
    const found = await stat(lock).catch(() => undefined);
    if (found?.size === 0) await rm(lock, { force: true });
  }
}
