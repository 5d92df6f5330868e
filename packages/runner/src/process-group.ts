import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Sends signals, as `process.kill` does: a negative id is a group. It throws where nothing has that id. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => unknown;

/**
 * Ends a process group: SIGTERM, and after the grace SIGKILL for what is left. Resolves when nothing of it runs.
 * @param leader the group's id, which is its first process's
 * @param graceMs milliseconds between the two
 */
export async function endGroup(
  kill: Kill,
  leader: number,
  graceMs: number,
): Promise<void> {
  if (!send(kill, leader, "SIGTERM")) return;
  for (let waited = 0, pause = 5; waited < graceMs; waited += pause) {
    if (!(await isAlive(kill, leader))) return;
    await sleep(pause);
    pause = Math.min(pause * 2, 50);
  }
  send(kill, leader, "SIGKILL");
}

function send(kill: Kill, leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    kill(-leader, signal);
    return true;
  } catch {
    return false; // No process of this group is left.
  }
}

/** A group whose processes are all zombies is not alive, though it still takes signals: in many containers no init reaps. */
async function isAlive(kill: Kill, leader: number): Promise<boolean> {
  if (!send(kill, leader, 0)) return false;
  const ids = await readdir("/proc").catch(() => undefined);
  if (ids === undefined) return true;
  for (const id of ids) {
    if (!/^\d+$/.test(id)) continue;
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    // "pid (name) state parent group": the name may hold anything, so the last parenthesis ends it.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(group) === leader && state !== "Z") return true;
  }
  return false;
}
