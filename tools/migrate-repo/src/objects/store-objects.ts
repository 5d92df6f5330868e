import { createHash } from "node:crypto";
import type { Git } from "@skein/git";
import { packEntry, packHeader, type PackedType } from "./pack-format.js";

/** Stores a few objects, loose, by one process. For many see `openPackWriter`. */
export async function storeObjects(
  git: Git,
  objectFormat: "sha1" | "sha256",
  objects: readonly { readonly type: PackedType; readonly content: Buffer }[],
): Promise<void> {
  if (objects.length === 0) return;
  const pack = Buffer.concat([
    packHeader(objects.length),
    // Git deflates each anew for its file.
    ...objects.map(({ type, content }) => packEntry(type, content, 0)),
  ]);
  const sum = createHash(objectFormat).update(pack).digest();
  await git.run(["unpack-objects", "-q"], {
    input: Buffer.concat([pack, sum]),
  });
}
