import { createHash } from "node:crypto";
import { streamGit, writeTo, type Git } from "@skein/git";
import { packEntry, packHeader, type PackedType } from "./pack-format.js";

/** Stores a few objects as loose ones, with one process. For many objects, use `openPackWriter`. */
export async function storeObjects(
  git: Git,
  objectFormat: "sha1" | "sha256",
  objects: readonly { readonly type: PackedType; readonly content: Buffer }[],
): Promise<void> {
  if (objects.length === 0) return;
  const unpack = streamGit(git, ["unpack-objects", "-q"]);
  const sum = createHash(objectFormat);
  const write = (bytes: Buffer) => {
    sum.update(bytes);
    return writeTo(unpack.stdin, bytes);
  };
  // Write the objects one by one: a map of commits is long, and each copy of it would wait for the garbage collector.
  await write(packHeader(objects.length));
  for (const { type, content } of objects)
    // No compression here, because git compresses each object again for its file.
    await write(packEntry(type, content, 0));
  unpack.stdin.end(sum.digest());
  await unpack.done;
}
