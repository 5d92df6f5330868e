import { createHash } from "node:crypto";
import {
  mkdir,
  mkdtemp,
  open,
  rename,
  rm,
  type FileHandle,
} from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "@skein/git";
import { IdTable } from "./id-table.js";
import { objectId } from "./object-id.js";
import { packEntry, packHeader, type PackedType } from "./pack-format.js";

/** An object database that receives a pack. */
export interface PackPlace {
  readonly git: Git;
  /** The absolute path of the object database. */
  readonly objects: string;
  readonly objectFormat: "sha1" | "sha256";
}

/**
 * Writes new objects as one pack. It computes each id itself, so that the next object can refer to it at once. Git sees
 * the objects after `finish`, when it has read and indexed the pack itself. Disposal discards a pack that wasn't
 * finished.
 */
export interface PackWriter extends AsyncDisposable {
  /** Adds an object; adding it again has no effect. @returns its id */
  add(type: PackedType, content: Buffer): string;
  /** Writes the collected bytes once there are enough, so that memory use stays constant. */
  flush(): Promise<void>;
  /** Completes the pack. Without objects, no file is created. @throws {GitError} if git doesn't accept the pack */
  finish(): Promise<void>;
}

/** The number of bytes to collect before a write. */
const CHUNK = 1 << 16;

/** Opens a pack. It creates the file at the first write. */
export function openPackWriter({
  git,
  objects,
  objectFormat,
}: PackPlace): PackWriter {
  const seen = new IdTable(objectFormat === "sha1" ? 20 : 32);
  const folder = join(objects, "pack");
  let file: { scratch: string; handle: FileHandle } | undefined;
  // Entries are copied out of their small buffers, which can then be freed at once. In a list, each would hold the 8 kB
  // that Node allocated it from, which was most of the memory for a long history.
  let filling = Buffer.alloc(0);
  let written = Buffer.alloc(0);
  let gathered = 0;
  const gather = (bytes: Buffer) => {
    if (gathered + bytes.length > filling.length) {
      const wider = Buffer.allocUnsafe(2 * (CHUNK + gathered + bytes.length));
      filling.copy(wider, 0, 0, gathered);
      filling = wider;
    }
    gathered += bytes.copy(filling, gathered);
  };
  gather(packHeader(0));
  const write = async () => {
    file ??= await makeFile(folder);
    const bytes = filling.subarray(0, gathered);
    [filling, written] = [written, filling];
    gathered = 0;
    await file.handle.writeFile(bytes);
    return file;
  };
  const close = async () => {
    const open = file;
    file = undefined;
    await open?.handle.close();
    if (open) await rm(open.scratch, { recursive: true, force: true });
  };
  return {
    add(type, content) {
      const id = objectId(objectFormat, type, content);
      if (!seen.add(id, seen.size)) return id;
      gather(packEntry(type, content));
      return id;
    },
    async flush() {
      if (gathered >= CHUNK) await write();
    },
    async finish() {
      if (seen.size > 0) {
        const { handle, scratch } = await write();
        await handle.write(packHeader(seen.size), 0, 12, 0);
        const trailer = await hashFile(handle, objectFormat);
        await handle.writeFile(trailer);
        const pack = join(folder, `pack-${trailer.toString("hex")}.pack`);
        await handle.chmod(0o444);
        await rename(packIn(scratch), pack);
        await git.run(["index-pack", pack]);
      }
      await close();
    },
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Writes a pack. The objects that `fill` adds are in the database when this function returns; if it throws, none of
 * them is.
 */
export async function writePack<T>(
  place: PackPlace,
  fill: (pack: PackWriter) => Promise<T>,
): Promise<T> {
  await using pack = openPackWriter(place);
  const result = await fill(pack);
  await pack.finish();
  return result;
}

/**
 * Hashes a file with one buffer. A stream would allocate a new one for each part, and few of them are freed before the
 * program ends.
 */
async function hashFile(
  handle: FileHandle,
  objectFormat: PackPlace["objectFormat"],
): Promise<Buffer> {
  const sum = createHash(objectFormat);
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK, at);
    if (bytesRead === 0) return sum.digest();
    sum.update(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}

async function makeFile(
  folder: string,
): Promise<{ scratch: string; handle: FileHandle }> {
  await mkdir(folder, { recursive: true });
  // Git and Skein ignore `tmp_` files in an object database.
  const scratch = await mkdtemp(join(folder, "tmp_skein_"));
  return { scratch, handle: await open(packIn(scratch), "w+") };
}

function packIn(scratch: string): string {
  return join(scratch, "pack");
}
