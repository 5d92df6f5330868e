import { createHash } from "node:crypto";
import {
  constants,
  createReadStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { chmod, copyFile, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { filesToPrune, type StoredFile } from "./prune.js";
import { seal, unseal, type Opened } from "./seal.js";

/**
 * Raised if the form of the store changes. Older programs prune the results of older versions, or `clear` deletes them.
 */
const LAYOUT = "v1";
/** Files with more bytes are copied and hashed in pieces. */
const LARGE = 32 * 2 ** 20;
/** Uses within this time count as one, so that a replay need not write; in milliseconds. */
const SAME_USE_MS = 3_600_000;

export interface StoreOptions {
  /** The folder; absolute. */
  readonly dir: string;
  /** If set, every result is signed with this key, and only results with its signature are read. */
  readonly key: string | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly now: () => number;
  /** Returns a word that no other process uses. */
  readonly unique: () => string;
}

/** The size of a store. */
export interface StoreSize {
  readonly results: number;
  readonly files: number;
  readonly bytes: number;
  /**
   * The last use of the file that has been unused for the longest time, in milliseconds since 1970; undefined for an
   * empty store.
   */
  readonly oldest: number | undefined;
}

/**
 * Stores results by name and contents by hash, in a folder that many processes read and write concurrently. Every file
 * appears whole or not at all, because it is written under another name and renamed. The store doesn't interpret
 * results and decides nothing about them.
 */
export class Store {
  readonly #root: string;
  readonly #options: StoreOptions;
  #written = 0;
  #drafts = 0;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#root = join(options.dir, "results", LAYOUT);
  }

  /** The folder of all files. */
  get folder(): string {
    return this.#root;
  }

  get key(): string | undefined {
    return this.#options.key;
  }

  /** The number of bytes that this process has added. */
  get written(): number {
    return this.#written;
  }

  /** Reads a result. @returns undefined if there is none */
  read(key: string): Opened | undefined {
    try {
      return unseal(key, readFileSync(this.#result(key)), this.key);
    } catch {
      return undefined;
    }
  }

  /** Stores a result, and replaces an existing one. @throws the errors of the file system */
  write(key: string, body: Buffer, blobs: readonly string[]): void {
    const at = this.#options.now() / 1000;
    const file = this.#result(key);
    this.#place(file, (draft) =>
      writeFileSync(draft, seal(key, body, this.key), FRESH),
    );
    for (const path of [...blobs.map((hash) => this.blob(hash)), file])
      utimesSync(path, at, at);
  }

  /** Deletes a result. */
  remove(key: string): void {
    rmSync(this.#result(key), { force: true });
  }

  /** Records that a result was used, so that unused ones are pruned first. */
  use(key: string, blobs: readonly string[]): void {
    const now = this.#options.now();
    const file = this.#result(key);
    try {
      if (now - statSync(file).mtimeMs < SAME_USE_MS) return;
      for (const path of [...blobs.map((hash) => this.blob(hash)), file])
        utimesSync(path, now / 1000, now / 1000);
    } catch {
      // Another process pruned the files, or the folder is read-only.
    }
  }

  /** Returns the path of a content, whether or not it exists. */
  blob(hash: string): string {
    return join(this.#root, "blobs", hash.slice(0, 2), hash);
  }

  /** Returns whether a content exists with its full size. Its hash is checked when it is read. */
  has(hash: string, bytes: number): boolean {
    return statSync(this.blob(hash), { throwIfNoEntry: false })?.size === bytes;
  }

  /** Stores a content. @returns its SHA-256 */
  putBytes(bytes: Buffer): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    if (!this.has(hash, bytes.length))
      this.#place(this.blob(hash), (draft) =>
        writeFileSync(draft, bytes, FRESH),
      );
    return hash;
  }

  /** Stores the content of a file. @returns its SHA-256 and size */
  async putFile(file: string): Promise<{ hash: string; bytes: number }> {
    const { size } = await stat(file);
    if (size <= LARGE) {
      const bytes = await readFile(file);
      return { hash: this.putBytes(bytes), bytes: bytes.length };
    }
    const draft = this.#draft();
    try {
      // The copy is hashed instead of the file, because no other process writes to it.
      await copyFile(file, draft, constants.COPYFILE_FICLONE);
      await chmod(draft, 0o600);
      const { size: bytes } = await stat(draft);
      const hash = await hashFile(draft);
      if (!this.has(hash, bytes)) {
        mkdirSync(join(this.blob(hash), ".."), PRIVATE);
        renameSync(draft, this.blob(hash));
        this.#written += bytes;
      }
      return { hash, bytes };
    } finally {
      rmSync(draft, { force: true });
    }
  }

  /**
   * Copies a content out of the store, and checks it on the way.
   * @param to a file that doesn't exist
   * @returns false if the content is missing or damaged; a damaged content is deleted
   */
  async takeOut(hash: string, bytes: number, to: string): Promise<boolean> {
    const from = this.blob(hash);
    if (!this.has(hash, bytes)) return false;
    if (bytes <= LARGE) {
      const content = await readFile(from).catch(() => undefined);
      if (content && sha256(content) === hash) {
        await writeFile(to, content, FRESH);
        return true;
      }
    } else {
      await copyFile(from, to, constants.COPYFILE_FICLONE);
      if ((await hashFile(to)) === hash) return true;
    }
    rmSync(from, { force: true });
    return false;
  }

  /** Reads a content into memory. @returns undefined if it is missing or damaged */
  readBlob(hash: string): Buffer | undefined {
    try {
      const bytes = readFileSync(this.blob(hash));
      return sha256(bytes) === hash ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  /** Measures the store. */
  size(): StoreSize {
    const results = this.#list("entries");
    const all = [...results, ...this.#list("blobs")];
    const times = all.map(({ usedAt }) => usedAt);
    return {
      results: results.length,
      files: all.length,
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      oldest:
        all.length === 0 ? undefined : times.reduce((a, b) => Math.min(a, b)),
    };
  }

  /**
   * Deletes the least recently used files, and drafts that are older than a day because their programs were killed.
   * @param most the number of bytes that may remain
   * @returns the number and the size of the deleted files
   */
  prune(most: number): { readonly files: number; readonly bytes: number } {
    const old = this.#options.now() - 24 * SAME_USE_MS;
    const drafts = this.#list("drafts").filter(({ usedAt }) => usedAt < old);
    const gone = [
      ...filesToPrune([...this.#list("entries"), ...this.#list("blobs")], most),
      ...drafts,
    ];
    for (const { path } of gone) rmSync(path, { force: true });
    this.#place(this.#mark, (draft) => writeFileSync(draft, "", FRESH));
    const bytes = gone.reduce((sum, file) => sum + file.bytes, 0);
    return { files: gone.length, bytes };
  }

  /** Prunes if no process has done so for an hour, or if this process has added a tenth of the limit. */
  pruneSometimes(most: number): void {
    if (this.#written === 0) return;
    const mark = statSync(this.#mark, { throwIfNoEntry: false });
    const since = this.#options.now() - (mark?.mtimeMs ?? 0);
    if (since > SAME_USE_MS || this.#written > most / 10) this.prune(most);
  }

  /** Deletes everything. */
  clear(): void {
    rmSync(join(this.#root, ".."), { recursive: true, force: true });
  }

  get #mark(): string {
    return join(this.#root, "pruned");
  }

  #result(key: string): string {
    return join(this.#root, "entries", key.slice(0, 2), key);
  }

  #draft(): string {
    const folder = join(this.#root, "drafts");
    mkdirSync(folder, PRIVATE);
    return join(folder, `${this.#options.unique()}-${this.#drafts++}`);
  }

  #place(file: string, write: (draft: string) => void): void {
    const draft = this.#draft();
    try {
      write(draft);
      mkdirSync(join(file, ".."), PRIVATE);
      this.#written += statSync(draft).size;
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  }

  #list(folder: string): StoredFile[] {
    const top = join(this.#root, folder);
    let names: string[];
    try {
      names = readdirSync(top, { recursive: true, encoding: "utf8" });
    } catch {
      return [];
    }
    return names.flatMap((name) => {
      const path = join(top, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      return stats?.isFile()
        ? [{ path, bytes: stats.size, usedAt: stats.mtimeMs }]
        : [];
    });
  }
}

/** The store is private, because logs and outputs may be. */
const PRIVATE = { recursive: true, mode: 0o700 } as const;
const FRESH = { flag: "wx", mode: 0o600 } as const;

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

async function hashFile(file: string): Promise<string> {
  const digest = createHash("sha256");
  await pipeline(createReadStream(file), digest);
  return digest.digest("hex");
}
