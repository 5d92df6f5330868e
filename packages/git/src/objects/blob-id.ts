import { createHash, hash } from "node:crypto";
import type { Repository } from "../repository.js";

/** Returns the length of a repository's ids in hexadecimal. */
export function idLengthOf({
  objectFormat,
}: Pick<Repository, "objectFormat">): number {
  return objectFormat === "sha256" ? 64 : 40;
}

/**
 * Returns git's id of these bytes.
 * @param length of the repository's ids (`idLengthOf`)
 */
export function blobId(bytes: Buffer, length: number): string {
  return createHash(algorithm(length))
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}

/** The number of bytes before the content that `blobIdIn` overwrites. */
export const BLOB_HEADER = 32;

/**
 * Returns the same id for content that follows `BLOB_HEADER` bytes in a buffer. It takes half the time for a small
 * file.
 * @param end of the content
 */
export function blobIdIn(buffer: Buffer, end: number, length: number): string {
  const header = `blob ${end - BLOB_HEADER}\0`;
  const start = BLOB_HEADER - header.length;
  buffer.write(header, start, "latin1");
  return hash(algorithm(length), buffer.subarray(start, end), "hex");
}

function algorithm(length: number): string {
  return length === 64 ? "sha256" : "sha1";
}
