import { statSync } from "node:fs";

/**
 * Returns a line for each folder with the time at which it last gained or lost an entry, in milliseconds, and the path. The
 * time is `ctime`, which programs can't set.
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

/** Returns the same folders as an earlier `timesOf`, with their current times. */
export function timesAgain(root: string, times: string, now: number): string {
  const dirs = times
    .split("\n")
    .map((line) => line.slice(line.indexOf(" ") + 1));
  return timesOf(root, dirs, now);
}

/** Returns the result of `timesOf` without the times, because each clone has other ones. */
export function withoutTimes(times: string): string {
  return times.replaceAll(/^\S+/gm, UNSURE);
}

/** In milliseconds. FAT counts in two seconds, and the clock of a network drive may differ a little. */
const LONGEST_TICK = 5_000;
const UNSURE = "?";

/** Returns whether the times of all folders are known. */
export function areSure(times: string): boolean {
  return !`\n${times}`.includes(`\n${UNSURE} `);
}

/** Returns whether no folder gained or lost an entry since `timesOf`. With a line break in a name, it returns false. */
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

/** @returns undefined if the folder is missing or can't be read, for example because a symlink leads to itself */
function changeTime(root: string, dir: string): number | undefined {
  const folder = dir === "." ? root : `${root}/${dir}`;
  try {
    return statSync(folder).ctimeMs;
  } catch {
    return undefined;
  }
}
