import { readFileSync, readdirSync } from "node:fs";
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
  let member: number | undefined = leader;
  for (let waited = 0, pause = 5; waited < graceMs; waited += pause) {
    member = memberOf(kill, leader, member);
    if (member === undefined) return;
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
 * Returns a process of a group that is alive. A group of zombies has none, though it still accepts signals, because many
 * containers have no init that reaps them.
 * @param last the process that was alive the last time. All others are read only when it has ended
 */
function memberOf(
  kill: Kill,
  leader: number,
  last: number,
): number | undefined {
  if (!send(kill, leader, 0)) return undefined;
  if (isMember(last, leader)) return last;
  // These files are in memory: reading them in Node's threads takes ten times the CPU time.
  let ids: string[];
  try {
    ids = readdirSync("/proc");
  } catch {
    return last; // This system has no such folder.
  }
  const found = ids.find(
    (id) => /^\d+$/.test(id) && isMember(Number(id), leader),
  );
  return found === undefined ? undefined : Number(found);
}

/** Returns whether a process is alive and in a group. */
function isMember(id: number, leader: number): boolean {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${id}/stat`, "utf8");
  } catch {
    return false;
  }
  // "pid (name) state parent group": the name may contain anything, so the last parenthesis ends it.
  const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(group) === leader && state !== "Z";
}
