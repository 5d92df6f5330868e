import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { Malformed } from "@skein/reporting/json";

/** A plan or a verdict has some megabytes at most; whoever sends more wants something else. */
const MOST_BYTES = 64 * 1024 * 1024;

/** A file that is larger than what it should be may be. */
export class TooLarge extends Malformed {
  readonly size: number;
  constructor(size: number) {
    super(`it has ${size} bytes, too many to be one`);
    this.size = size;
  }
}

/**
 * Reads a file that may come from an artifact: a plain file, no link to another place, and none that fills the memory.
 * @throws {Malformed} where it is another kind of file or too large; what the disk says, where it cannot be read
 */
export async function readPlainFile(
  path: string,
  mostBytes = MOST_BYTES,
): Promise<string> {
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
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
