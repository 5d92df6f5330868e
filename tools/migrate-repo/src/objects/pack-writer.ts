import { createHash, hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, open, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Git } from "@skein/git";
import { IdTable } from "./id-table.js";
import { packEntry, packHeader, type PackedType } from "./pack-format.js";

/**
 * Writes new objects as one pack. Each is hashed here, so that the next can name it at once; git sees them after
 * `finish`, when it has read and indexed the pack itself.
 */
export interface PackWriter {
  /** Adds an object, once however often it is added. @returns its id */
  add(type: PackedType, content: Buffer): string;
  /** Writes what has gathered, so that memory stays flat. */
  flush(): Promise<void>;
  /** Ends the pack; an empty one leaves nothing behind. @throws {GitError} when git does not accept it */
  finish(): Promise<void>;
  /** Throws away what was not finished. */
  close(): Promise<void>;
}

/** Bytes that gather before they are written. */
const CHUNK = 1 << 18;

/** Opens a pack in a repository's object database. */
export async function openPackWriter(git: Git): Promise<PackWriter> {
  const { stdout } = await git.run([
    "rev-parse",
    "--show-object-format",
    "--git-path",
    "objects/pack",
  ]);
  const [objectFormat = "", path = ""] = stdout.toString().split(/\n(.*)\n$/s);
  const folder = resolve(git.cwd, path);
  await mkdir(folder, { recursive: true });
  // Git and we ourselves leave `tmp_` out of what an object database holds.
  const scratch = await mkdtemp(join(folder, "tmp_skein_"));
  const file = join(scratch, "pack");
  const handle = await open(file, "w");
  const seen = new IdTable(objectFormat === "sha1" ? 20 : 32);
  let chunks: Buffer[] = [packHeader(0)];
  let gathered = 0;
  let closed = false;
  const write = async () => {
    const bytes = Buffer.concat(chunks);
    chunks = [];
    gathered = 0;
    await handle.writeFile(bytes);
  };
  const close = async () => {
    if (closed) return;
    closed = true;
    await handle.close();
    await rm(scratch, { recursive: true, force: true });
  };
  return {
    add(type, content) {
      const id = hash(
        objectFormat,
        Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]),
      );
      if (seen.get(id) !== undefined) return id;
      seen.set(id, seen.size);
      const entry = packEntry(type, content);
      chunks.push(entry);
      gathered += entry.length;
      return id;
    },
    async flush() {
      if (gathered >= CHUNK) await write();
    },
    async finish() {
      if (seen.size > 0) {
        await write();
        await handle.write(packHeader(seen.size), 0, 12, 0);
        const sum = createHash(objectFormat);
        for await (const bytes of createReadStream(file))
          sum.update(bytes as Buffer);
        const trailer = sum.digest();
        await handle.writeFile(trailer);
        const pack = join(folder, `pack-${trailer.toString("hex")}.pack`);
        await handle.chmod(0o444);
        await rename(file, pack);
        await git.run(["index-pack", pack]);
      }
      await close();
    },
    close,
  };
}
