import { createHash, hash } from "node:crypto";
import type { PackedType } from "./pack-format.js";

const LONG = 1 << 16;

/** Returns the id of an object: the hash of its type, its length and its content (git-hash-object(1)). */
export function objectId(
  objectFormat: "sha1" | "sha256",
  type: PackedType,
  content: Buffer,
): string {
  const head = Buffer.from(`${type} ${content.length}\0`, "latin1");
  // Copying a short content takes less time than a hash of two parts.
  return content.length < LONG
    ? hash(objectFormat, Buffer.concat([head, content]))
    : createHash(objectFormat).update(head).update(content).digest("hex");
}
