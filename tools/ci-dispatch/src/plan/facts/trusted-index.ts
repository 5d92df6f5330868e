import { createHash } from "node:crypto";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "@skein/git";
import { blob, type Tip } from "../../history/branch.js";
import * as json from "@skein/reporting/json";
import { readPlainBytes } from "../../plain-file.js";

/**
 * The files of the index of references that a cache of main restores: the table of a tree, and facts of blobs that came
 * later. `packages/references` describes them.
 */
const INDEX_FILES = ["references.bin", "references-recent.json"];
/** The file of the branch of the history with the digests of indexes that main has made, the newest first. */
export const DIGESTS_FILE = "index-digests.json";
/** The number of digests that are kept. The newest cache that a run restores is one of the last few. */
const MOST_DIGESTS = 10;
const DIGEST = /^[0-9a-f]{64}$/;

/** Returns whether a text is the digest of an index. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * The growth in bytes of the facts of later blobs above which an index is worth another cache: some hundred files. Until
 * then, each run of a pull request fetches these files again, in one request.
 */
const WORTH_BYTES = 256 * 1024;

/** A folder that may hold an index of references from a cache. */
export interface CachedIndex {
  /** The absolute path. */
  readonly folder: string;
  /**
   * Prepares the folder. A pull request's own legs can save any cache that its planning job restores. So the index stays
   * only if the default branch has recorded its digest; everything else is deleted.
   * @returns whether an index stays
   */
  keepTrusted(trusted: readonly string[]): Promise<boolean>;
  /** Returns the digest of the index if it is worth a cache: if there was none, or much has changed since. */
  newDigest(): Promise<string | undefined>;
}

/** Opens a folder that may hold an index of references. */
export function openCachedIndex(folder: string): CachedIndex {
  let kept: Content | undefined;
  return {
    folder,
    async keepTrusted(trusted) {
      await mkdir(folder, { recursive: true });
      const found = await readContent(folder);
      kept = found && trusted.includes(found.digest) ? found : undefined;
      for (const name of await readdir(folder))
        if (!kept || !INDEX_FILES.includes(name))
          await rm(join(folder, name), { recursive: true, force: true });
      return kept !== undefined;
    },
    async newDigest() {
      const now = await readContent(folder);
      return kept &&
        kept.table === now?.table &&
        now.laterBytes - kept.laterBytes < WORTH_BYTES
        ? undefined
        : now?.digest;
    },
  };
}

interface Content {
  /** SHA-256 of all files, in hexadecimal. */
  readonly digest: string;
  /** SHA-256 of the table. */
  readonly table: string;
  readonly laterBytes: number;
}

/** Reads a folder's index; undefined without a table. */
async function readContent(folder: string): Promise<Content | undefined> {
  const [table, later] = await Promise.all(
    INDEX_FILES.map((name) =>
      readPlainBytes(join(folder, name), Infinity).catch(() => undefined),
    ),
  );
  if (!table) return undefined;
  const hashes = [table, later].map((bytes) => bytes && sha256(bytes));
  return {
    digest: sha256(JSON.stringify(hashes)),
    table: hashes[0] ?? "",
    laterBytes: later?.length ?? 0,
  };
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

const digestsFile = json.object({ digests: json.list(json.text) });

/** Reads the digests that the default branch has recorded; empty if there are none, or if the file is broken. */
export async function digestsIn(
  git: Git,
  { files }: Tip,
): Promise<readonly string[]> {
  const id = files.get(DIGESTS_FILE);
  if (id === undefined) return [];
  try {
    const text = (await blob(git, id)).toString("utf8");
    return json.parse(text, digestsFile, "index").digests.filter(isDigest);
  } catch {
    return [];
  }
}

/** Returns the branch's changed file after recording a digest; empty if it is recorded already. */
export async function withDigest(
  git: Git,
  tip: Tip,
  digest: string | undefined,
): Promise<ReadonlyMap<string, Buffer>> {
  const known = await digestsIn(git, tip);
  if (digest === undefined || known.includes(digest)) return new Map();
  const digests = [digest, ...known].slice(0, MOST_DIGESTS);
  const text = `${JSON.stringify({ version: 1, digests }, null, 2)}\n`;
  return new Map([[DIGESTS_FILE, Buffer.from(text)]]);
}
