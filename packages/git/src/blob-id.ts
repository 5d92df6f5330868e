import { createHash } from "node:crypto";

/** Git's id for these bytes. @param length of the repository's ids in hexadecimal: 40 for SHA-1, 64 for SHA-256 */
export function blobId(bytes: Buffer, length: number): string {
  return createHash(length === 64 ? "sha256" : "sha1")
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest("hex");
}
