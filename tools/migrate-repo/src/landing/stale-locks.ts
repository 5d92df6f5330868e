import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { TargetFacts } from "../survey/target.js";
import type { Landing } from "./journal.js";

/**
 * Removes the locks of refs that a killed landing left: those that hold the very id it was going to write, and the one of
 * HEAD, which git locks with the branch. A lock with another id is somebody else's and stays.
 */
export async function removeStaleLocks(
  { commonDir, gitDir }: TargetFacts,
  landing: Landing,
): Promise<void> {
  let ours = false;
  for (const update of landing.refs) {
    const lock = join(commonDir, `${update.ref}.lock`);
    const text = await readFile(lock, "utf8").catch(() => undefined);
    if (text === undefined) continue;
    // Git fills the lock in `prepare`; a kill before that leaves it empty.
    if (text.trim() !== (update.new ?? "") && text !== "") continue;
    await rm(lock, { force: true });
    ours = true;
  }
  const head = join(gitDir, "HEAD.lock");
  const empty = await stat(head).then(
    (stats) => stats.size === 0,
    () => false,
  );
  if (ours && empty) await rm(head, { force: true });
}
