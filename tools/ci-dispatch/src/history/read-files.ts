import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import {
  Failure,
  readRegularFile,
  usageFailure,
  systemWords,
} from "@skein/reporting";
import { parseEvents, type ParsedEvents } from "./event.js";

/**
 * Reads NDJSON files of earlier runs, plain or gzip.
 * @throws {Failure} if a file doesn't exist or isn't complete
 */
export async function readHistoryFiles(
  files: readonly string[],
): Promise<ParsedEvents> {
  const parsed = await Promise.all(
    files.map(async (file) => {
      const bytes = await readRegularFile(file).catch((error: unknown) => {
        throw usageFailure(`cannot be read: ${systemWords(error)}`, {
          place: { file },
        });
      });
      return parseEvents(await unpack(bytes, file));
    }),
  );
  return {
    events: parsed.flatMap(({ events }) => events),
    malformed: parsed.reduce((sum, { malformed }) => sum + malformed, 0),
  };
}

/**
 * Returns the text of NDJSON that may be compressed with gzip.
 * @throws {Failure} if the archive is broken
 */
async function unpack(bytes: Buffer, file: string): Promise<string> {
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  if (!packed) return bytes.toString("utf8");
  return (
    await promisify(gunzip)(bytes).catch((error: unknown) => {
      throw new Failure(`the archive is broken: ${(error as Error).message}`, {
        place: { file },
        cause: error,
      });
    })
  ).toString("utf8");
}
