import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Malformed } from "@skein/reporting/json";

/** The maximum size of a plan or a verdict. Real ones have some megabytes at most. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The error for a file that exceeds the maximum size. */
export class TooLarge extends Malformed {
  readonly size: number;
  constructor(size: number) {
    super(`it has ${size} bytes, too many to be one`);
    this.size = size;
  }
}

/**
 * Reads a file that may come from an artifact. It must be a regular file, not a link, and must fit in memory.
 * @throws {Malformed} if it is another kind of file or too large
 * @throws the error of the file system if it is unreadable
 */
export async function readPlainFile(
  path: string,
  mostBytes = MOST_BYTES,
): Promise<string> {
  return (await readPlainBytes(path, mostBytes)).toString("utf8");
}

/**
 * Reads the bytes of a file that may come from an artifact.
 * @throws as `readPlainFile`
 */
export async function readPlainBytes(
  path: string,
  mostBytes: number,
): Promise<Buffer> {
  const file = await open(
    path,
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  ).catch((error: unknown) => {
    throw (error as NodeJS.ErrnoException).code === "ELOOP"
      ? new Malformed("it is a link")
      : error;
  });
  try {
    const stat = await file.stat();
    if (!stat.isFile()) throw new Malformed("it isn't a plain file");
    if (stat.size > mostBytes) throw new TooLarge(stat.size);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
