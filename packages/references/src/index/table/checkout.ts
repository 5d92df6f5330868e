import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { BLOB_HEADER, blobId, blobIdIn } from "@skein/git";
import type { FileToScan } from "./scan-files.js";

/** Large enough for almost all sources. */
const LARGE = 64 * 1024;

/**
 * A folder that probably contains the requested files: reading there is faster than from git. Its content need not match,
 * since all bytes are checked against the blob's id: line endings or a filter may have changed them.
 */
export class Checkout {
  readonly #dir: string;
  /** All small files are read into the same buffer: allocating a buffer takes as long as reading a file. */
  readonly #buffer = Buffer.allocUnsafeSlow(BLOB_HEADER + LARGE);

  constructor(dir: string) {
    this.#dir = dir;
  }

  /**
   * Reads a file.
   * @returns the blob's bytes, which are valid until the next file is read; undefined if the folder doesn't have them
   */
  read([path, kind, id]: FileToScan): Buffer | undefined {
    const file = `${this.#dir}/${path}`;
    try {
      if (kind === "symlink") return checked(readlinkSync(file, "buffer"), id);
      const end = BLOB_HEADER + this.#fill(file);
      if (end === this.#buffer.length) return checked(readLarge(file), id);
      return blobIdIn(this.#buffer, end, id.length) === id
        ? this.#buffer.subarray(BLOB_HEADER, end)
        : undefined;
    } catch {
      return undefined;
    }
  }

  #fill(file: string): number {
    const opened = openSync(file, WITHOUT_WAITING);
    try {
      return readSync(opened, this.#buffer, BLOB_HEADER, LARGE, null);
    } finally {
      closeSync(opened);
    }
  }
}

/** A pipe may have replaced the file, and may never get a writer. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** @throws {Error} if a device has replaced the file, since reading it may never end */
function readLarge(file: string): Buffer {
  const opened = openSync(file, WITHOUT_WAITING);
  try {
    if (!fstatSync(opened).isFile()) throw new Error("not a file");
    return readFileSync(opened);
  } finally {
    closeSync(opened);
  }
}

function checked(bytes: Buffer, id: string): Buffer | undefined {
  return blobId(bytes, id.length) === id ? bytes : undefined;
}
