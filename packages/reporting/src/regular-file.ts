import { constants } from "node:buffer";
import {
  createReadStream,
  readFile as readWithCallback,
  statSync,
} from "node:fs";
import type { Stats } from "node:fs";
import { promisify } from "node:util";
import { formatBytes } from "./amounts.js";
import { Failure } from "./failure.js";

/**
 * Reads a file as `node:fs/promises` does. Loading that module takes longer than reading the few files that most runs
 * read.
 */
const readFile = promisify(readWithCallback);

/**
 * Checks that a path is safe to read as a whole. A named pipe without a writer and a device such as /dev/zero never
 * end, and a blocking read of them survives SIGTERM. A file that is longer than Node's longest string cannot be text.
 * @param stats of the path, with symlinks followed; a folder passes, since reading one fails at once
 * @param named the path in the message
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
 * Reads a whole regular file, instead of Node's `readFile`.
 * @param file its path
 * @returns its bytes
 * @throws {Failure} for anything that isn't a regular file (`assertReadable`), before it is opened
 * @throws the system's error if the file is missing or not readable
 */
export async function readRegularFile(file: string): Promise<Buffer> {
  assertReadable(statSync(file), file);
  return readFile(file);
}

/** Reads a regular file as UTF-8. @see readRegularFile */
export async function readRegularText(file: string): Promise<string> {
  return (await readRegularFile(file)).toString("utf8");
}

/** The bytes that are read at a time. */
const PIECE = 1 << 20;

/** Reads a regular file piece by piece. @see readRegularFile */
export function streamRegularFile(file: string): AsyncIterable<Buffer> {
  assertReadable(statSync(file), file);
  return createReadStream(file, { highWaterMark: PIECE });
}
