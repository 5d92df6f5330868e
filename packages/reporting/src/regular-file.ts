import { constants } from "node:buffer";
import { readFile as readWithCallback, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { promisify } from "node:util";
import { formatBytes } from "./amounts.js";
import { Failure } from "./failure.js";

/** As of `node:fs/promises`, which takes longer to load than to read the few files that most runs read. */
const readFile = promisify(readWithCallback);

/**
 * Checks that a path is safe to read whole. A named pipe without a writer and a device such as /dev/zero never end, and
 * a blocking read of them outlasts SIGTERM; a file that is longer than Node's longest string has no text.
 * @param stats of what the path leads to; a folder passes, since reading one fails at once
 * @param named what to call it in the message
 * @throws {Failure} for anything but a file or a folder, and for a file that is too large
 */
export function assertReadable(stats: Stats, named: string): void {
  if (stats.isDirectory()) return;
  if (!stats.isFile())
    throw new Failure("this is a pipe, a device or a socket, not a file", {
      place: { file: named },
      hint: "put a regular file in its place",
    });
  if (stats.size > constants.MAX_STRING_LENGTH)
    throw new Failure(
      `this file is too large: ${formatBytes(stats.size)}, and Node reads at most ${formatBytes(constants.MAX_STRING_LENGTH)} as text`,
      { place: { file: named } },
    );
}

/**
 * Reads a regular file whole, in place of Node's `readFile`.
 * @param file its path
 * @returns its bytes
 * @throws {Failure} for anything that is no regular file (`assertReadable`), before it is opened
 * @throws what the system reports, where the file is missing or may not be read
 */
export async function readRegularFile(file: string): Promise<Buffer> {
  assertReadable(statSync(file), file);
  return readFile(file);
}

/** Reads a regular file as UTF-8. @see readRegularFile */
export async function readRegularText(file: string): Promise<string> {
  return (await readRegularFile(file)).toString("utf8");
}
