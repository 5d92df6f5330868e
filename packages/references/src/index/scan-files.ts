import { readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { type Git, openObjects } from "@skein/git";
import type { FileFacts } from "../reference.js";
import { blobId } from "@skein/git";
import { loadParser } from "../scan/load-parser.js";
import type { FileKind } from "../scan/file-kinds.js";
import { scanBytes } from "../scan/scanners.js";

/** A file to be read: its path, how it is read, and its blob id. */
export type FileToScan = readonly [path: string, kind: FileKind, id: string];

export interface FileSource {
  readonly git: Git;
  /** A folder that probably holds the same files: reading there is quicker than from git, and checked against the id. */
  readonly dir: string | undefined;
  /** Blobs that git does not have here; asking for one would fetch it alone, over the network. */
  readonly absent: ReadonlySet<string>;
}

/**
 * Reads and scans files by blob id.
 * @returns facts in the same order; null for a blob that git does not have here
 */
export async function scanFiles(
  files: readonly FileToScan[],
  { git, dir, absent }: FileSource,
): Promise<readonly (FileFacts | null)[]> {
  const parseSync = await loadParser();
  const objects = openObjects(git);
  const facts = files.map((): FileFacts | null => null);
  try {
    const waiting: Promise<void>[] = [];
    for (const [index, [path, kind, id]] of files.entries()) {
      const bytes =
        dir === undefined ? undefined : fromDisk(join(dir, path), kind, id);
      if (bytes) {
        facts[index] = scanBytes(kind, bytes, parseSync);
        continue;
      }
      if (absent.has(id)) continue;
      waiting.push(
        objects.read(id).then((object) => {
          if (object) facts[index] = scanBytes(kind, object.content, parseSync);
        }),
      );
      // So many answers at once, and no more, stay in memory.
      if (waiting.length >= 256) await Promise.all(waiting.splice(0));
    }
    await Promise.all(waiting);
  } finally {
    objects.close();
  }
  return facts;
}

/** The file's bytes, if they are those of the blob: line endings or a filter may have changed them on the way out. */
function fromDisk(
  path: string,
  kind: FileKind,
  id: string,
): Buffer | undefined {
  try {
    const bytes =
      kind === "symlink" ? readlinkSync(path, "buffer") : readFileSync(path);
    return blobId(bytes, id.length) === id ? bytes : undefined;
  } catch {
    return undefined;
  }
}
