import { readFile, readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Sends signals, as `process.kill` does: a negative id means a group. It throws if no process has that id. */
export type Kill = (pid: number, signal: NodeJS.Signals | 0) => unknown;

/**
 * Ends a process group: it sends SIGTERM and, after the grace period, SIGKILL to the remaining processes. Resolves when
 * none of them runs.
 * @param leader the group's id, which is that of its first process
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

/**
 * Returns whether a process of a group is alive. A group of zombies isn't, though it still accepts signals, because
 * many containers have no init that reaps them.
 */
async function isAlive(kill: Kill, leader: number): Promise<boolean> {
  if (!send(kill, leader, 0)) return false;
  const ids = await readdir("/proc").catch(() => undefined);
  if (ids === undefined) return true;
  for (const id of ids) {
    if (!/^\d+$/.test(id)) continue;
    const stat = await readFile(`/proc/${id}/stat`, "utf8").catch(() => "");
    // "pid (name) state parent group": the name may contain anything, so the last parenthesis ends it.
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(group) === leader && state !== "Z") return true;
  }
  return false;
}
