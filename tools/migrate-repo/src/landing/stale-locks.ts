import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TargetFacts } from "../survey/target.js";
import type { Landing } from "./journal.js";

/**
 * Removes the locks of refs that a killed git left. These are locks that hold exactly the id that git was going to
 * write, and empty ones: the lock of HEAD, which git locks with the branch, and the lock of packed refs if some refs
 * are deleted. A lock with another id belongs to another process and stays.
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
