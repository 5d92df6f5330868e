import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import type { FileFacts } from "../reference.js";
import { SCANNERS_VERSION } from "../scan/file-kinds.js";
import type { BuiltTable } from "./build-table.js";
import { bytesOf, type Sizes } from "./columns.js";
import { Table } from "./table.js";

/** Raise it when the layout of the kept files changes. */
const LAYOUT = 1;
export const VERSION = `${LAYOUT}.${SCANNERS_VERSION}`;

/** The kept table, and the tree whose files it knows. */
export interface KeptTable {
  readonly tree: string;
  readonly table: Table;
}

/**
 * Three files in one folder. `references.bin` is the table of one tree; `references-rows.bin` those of its rows that some
 * layout does not show; `references-recent.json` the facts of single blobs that came later. What is read is checked (version, length, CRC) and otherwise as if it were not there; what is
 * written goes to a file of its own and is renamed, so a torn write or a second writer never shows.
 */
export interface Store {
  readTable(): KeptTable | undefined;
  writeTable(tree: string, built: BuiltTable): void;
  /** Rows of a table that were found before. @param key a hash of everything they depend on */
  readRows(key: string): Uint32Array | undefined;
  writeRows(key: string, rows: Uint32Array): void;
  /** Facts by `scanner:blob id`. */
  readRecent(): Map<string, FileFacts>;
  writeRecent(recent: ReadonlyMap<string, FileFacts>): void;
}

/** A store that keeps nothing. */
export const noStore: Store = {
  readTable: () => undefined,
  writeTable: () => undefined,
  readRows: () => undefined,
  writeRows: () => undefined,
  readRecent: () => new Map(),
  writeRecent: () => undefined,
};

/** Opens the store in a folder, which need not exist. A folder that cannot be read or written keeps nothing. */
export function openStore(dir: string): Store {
  const tableFile = join(dir, "references.bin");
  const rowsFile = join(dir, "references-rows.bin");
  const recentFile = join(dir, "references-recent.json");
  return {
    readTable() {
      const bytes = readChecked(tableFile);
      if (!bytes) return undefined;
      const headEnd = bytes.indexOf(10);
      const head = readJson(bytes.toString("utf8", 0, headEnd)) as
        { version: string; tree: string; sizes: Sizes } | undefined;
      if (head?.version !== VERSION) return undefined;
      const body = bytes.subarray(Math.ceil((headEnd + 1) / 4) * 4);
      if (body.length !== bytesOf(head.sizes)) return undefined;
      return { tree: head.tree, table: new Table(body, head.sizes) };
    },
    writeTable(tree, { bytes, sizes }) {
      const head = JSON.stringify({ version: VERSION, tree, sizes });
      // Padded so that the columns begin at a multiple of four and can be used where they are.
      const padded = `${head}${" ".repeat(3 - (Buffer.byteLength(head) % 4))}\n`;
      writeChecked(tableFile, Buffer.concat([Buffer.from(padded), bytes]));
    },
    readRows(key) {
      const bytes = readChecked(rowsFile);
      const head = Buffer.byteLength(key);
      if (bytes?.toString("latin1", 0, head) !== key) return undefined;
      return new Uint32Array(new Uint8Array(bytes.subarray(head)).buffer);
    },
    writeRows(key, rows) {
      const body = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
      writeChecked(rowsFile, Buffer.concat([Buffer.from(key), body]));
    },
    readRecent() {
      const bytes = readChecked(recentFile);
      const read =
        bytes &&
        (readJson(bytes.toString("utf8")) as
          { version: string; facts: [string, FileFacts][] } | undefined);
      return new Map(read?.version === VERSION ? read.facts : []);
    },
    writeRecent(recent) {
      writeChecked(
        recentFile,
        Buffer.from(JSON.stringify({ version: VERSION, facts: [...recent] })),
      );
    },
  };
}

/** The bytes after the eight of length and checksum, or undefined when the file is not whole. */
function readChecked(file: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length < 8 || bytes.readUInt32LE(0) !== bytes.length)
    return undefined;
  const body = bytes.subarray(8);
  if (bytes.readUInt32LE(4) !== crc32(body)) return undefined;
  // Small files come from a shared pool at any offset; columns need one that is a multiple of four.
  return bytes.byteOffset % 4 === 0
    ? body
    : Buffer.from(new Uint8Array(body).buffer);
}

function writeChecked(file: string, body: Buffer): void {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length + 8, 0);
  head.writeUInt32LE(crc32(body), 4);
  const temporary = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, Buffer.concat([head, body]), { flag: "wx" });
    renameSync(temporary, file);
  } catch {
    // A read-only or full disk: the next run reads the files again, which is slower and as right.
    remove(temporary);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Where nothing can be written nothing is left behind either.
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
