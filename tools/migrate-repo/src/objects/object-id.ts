import { hash } from "node:crypto";
import type { PackedType } from "./pack-format.js";

/** The id of an object: the hash of its type, its length and its content (git-hash-object(1)). */
export function objectId(
  objectFormat: "sha1" | "sha256",
  type: PackedType,
  content: Buffer,
): string {
  const head = Buffer.from(`${type} ${content.length}\0`, "latin1");
  return hash(objectFormat, Buffer.concat([head, content]));
}
