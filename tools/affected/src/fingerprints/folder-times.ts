import { statSync } from "node:fs";

/**
 * Returns when each folder got or lost an entry (`ctime`, which nobody can set): a line for each, with milliseconds and
 * the path.
 * @param dirs from the project's folder
 * @param now milliseconds since 1970, before the folders were listed. A folder that changed just then may change again
 *   within the same tick of the file system's clock, so its line has `?` instead of the time.
 */
export function timesOf(
  root: string,
  dirs: Iterable<string>,
  now: number,
): string {
  return Array.from(dirs, (dir) => {
    const time = changeTime(root, dir);
    const isSure = time !== undefined && time < now - LONGEST_TICK;
    return `${isSure ? time : UNSURE} ${dir}`;
  }).join("\n");
}

/** Returns the folders of `timesOf`, with their times now. */
export function timesAgain(root: string, times: string, now: number): string {
  const dirs = times
    .split("\n")
    .map((line) => line.slice(line.indexOf(" ") + 1));
  return timesOf(root, dirs, now);
}

/** Returns the folders of `timesOf` without their times, which are true of one clone only. */
export function withoutTimes(times: string): string {
  return times.replaceAll(/^\S+/gm, UNSURE);
}

/** Milliseconds; FAT counts in two seconds, and clocks of network drives differ by little. */
const LONGEST_TICK = 5_000;
const UNSURE = "?";

/** Returns whether the times of all folders are known. */
export function areSure(times: string): boolean {
  return !`\n${times}`.includes(`\n${UNSURE} `);
}

/** Returns whether no folder got or lost an entry since `timesOf`. A part of a name with a line break isn't a folder. */
export function areSameFolders(root: string, times: string): boolean {
  return (
    areSure(times) &&
    times.split("\n").every((line) => {
      const space = line.indexOf(" ");
      const time = changeTime(root, line.slice(space + 1));
      return time !== undefined && line.slice(0, space) === `${time}`;
    })
  );
}

function changeTime(root: string, dir: string): number | undefined {
  const folder = dir === "." ? root : `${root}/${dir}`;
  return statSync(folder, { throwIfNoEntry: false })?.ctimeMs;
}
