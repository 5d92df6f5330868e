import { type Git, openObjects } from "@skein/git";
import { Checkout } from "./checkout.js";
import type { FileFacts } from "../../reference.js";
import type { FileKind } from "../../scan/file-kinds.js";
import type { ScanBytes } from "../../scan/scanners.js";

/** A file to read: its path, its kind and its blob id. */
export type FileToScan = readonly [path: string, kind: FileKind, id: string];

/** Joins files to one string, which is transferred between threads in one piece. No path contains a NUL. */
export function partOfFiles(files: readonly FileToScan[]): string {
  return files.map(([path, kind, id]) => `${path}\0${kind}\0${id}`).join("\0");
}

/** Splits such a string into files. */
export function filesOfPart(text: string): FileToScan[] {
  const words = text.split("\0");
  const files: FileToScan[] = [];
  for (let at = 0; at + 2 < words.length; at += 3)
    files.push([
      words[at] ?? "",
      words[at + 1] as FileKind,
      words[at + 2] ?? "",
    ]);
  return files;
}

export interface FileSource {
  readonly git: Git;
  /** A folder that probably contains the same files: reading there is faster than from git, and is checked against the id. */
  readonly dir: string | undefined;
  /** Blobs that git doesn't have here. Requesting one would fetch it separately, over the network. */
  readonly absent: ReadonlySet<string>;
}

/**
 * Reads and scans files by blob id.
 * @returns facts in the same order; null for a blob that git doesn't have here
 */
export async function scanFiles(
  files: readonly FileToScan[],
  { git, dir, absent }: FileSource,
  scanBytes: ScanBytes,
): Promise<readonly (FileFacts | null)[]> {
  const objects = openObjects(git);
  const checkout = dir === undefined ? undefined : new Checkout(dir);
  const facts = files.map((): FileFacts | null => null);
  try {
    const waiting: Promise<void>[] = [];
    for (const [index, file] of files.entries()) {
      const [, kind, id] = file;
      const bytes = checkout?.read(file);
      if (bytes) {
        facts[index] = scanBytes(kind, bytes);
        continue;
      }
      if (absent.has(id)) continue;
      waiting.push(
        objects.read(id).then((object) => {
          if (object) facts[index] = scanBytes(kind, object.content);
        }),
      );
      // At most this many answers are in memory at the same time.
      if (waiting.length >= 256) await Promise.all(waiting.splice(0));
    }
    await Promise.all(waiting);
  } finally {
    objects.close();
  }
  return facts;
}
