import { existsSync } from "node:fs";
import { join } from "node:path";
import { readKept, writeKept } from "@skein/git";
import type { FoundEdges } from "../../graph.js";
import { SCANNERS_VERSION } from "../../scan/file-kinds.js";
import type { BuiltTable } from "./build-table.js";
import { bytesOf, type Sizes } from "./columns.js";
import type { FileToScan } from "./scan-files.js";
import { RecentFacts } from "./recent-facts.js";
import { Table } from "./table.js";

/** Increase it when the layout of the stored files changes, or when the same references result in other edges. */
const LAYOUT = 22;
/** The version of the stored files. Files of any other version are ignored. */
export const VERSION = `${LAYOUT}.${SCANNERS_VERSION}`;

/** The stored table, and the tree of its files. */
export interface KeptTable {
  readonly tree: string;
  readonly table: Table;
  /** The files of the tree that the table lacks, because git didn't have them. */
  readonly lacking: readonly FileToScan[];
}

/**
 * Four files in one folder. `references.bin` is the table of one tree. `references-rows.bin` contains the rows of the table
 * that a layout does not show. `references-edges.json` contains the edges that resulted from the table and all later changes.
 * `references-recent.json` contains the facts of later single blobs, up to a few megabytes. Version, length and CRC are
 * checked when a file is read; a file that fails is treated as missing. Each file is written under a temporary name and
 * renamed, so an incomplete write or a second writer is never visible.
 */
export interface Store {
  /** Whether something is stored that may be a table. */
  hasTable(): boolean;
  readTable(): KeptTable | undefined;
  writeTable(
    tree: string,
    built: BuiltTable,
    lacking: readonly FileToScan[],
  ): void;
  /**
   * Returns rows of a table that were found before.
   * @param key a hash of everything they depend on
   */
  readRows(key: string): Uint32Array | undefined;
  writeRows(key: string, rows: Uint32Array): void;
  /**
   * Returns the edges that were found last.
   * @param key a hash of everything they depend on
   */
  readEdges(key: string): FoundEdges | undefined;
  writeEdges(key: string, edges: FoundEdges): void;
  readRecent(): RecentFacts;
  /** Stores the most recently used facts. */
  writeRecent(recent: RecentFacts): void;
}

/** A store that stores nothing. */
export const noStore: Store = {
  hasTable: () => false,
  readTable: () => undefined,
  writeTable: () => undefined,
  readRows: () => undefined,
  writeRows: () => undefined,
  readEdges: () => undefined,
  writeEdges: () => undefined,
  readRecent: () => new RecentFacts(),
  writeRecent: () => undefined,
};

/** Opens the store in a folder, which need not exist. If the folder can't be read or written, nothing is stored. */
export function openStore(dir: string): Store {
  const tableFile = join(dir, "references.bin");
  const rowsFile = join(dir, "references-rows.bin");
  const edgesFile = join(dir, "references-edges.json");
  const recentFile = join(dir, "references-recent.json");
  const recentHead = Buffer.from(`${JSON.stringify({ version: VERSION })}\n`);
  return {
    hasTable: () => existsSync(tableFile),
    readTable() {
      const bytes = readKept(tableFile);
      if (!bytes) return undefined;
      const headEnd = bytes.indexOf(10);
      const head = readJson(bytes.toString("utf8", 0, headEnd)) as
        | ({ version: string; sizes: Sizes } & Omit<KeptTable, "table">)
        | undefined;
      if (head?.version !== VERSION) return undefined;
      const body = bytes.subarray(Math.ceil((headEnd + 1) / 4) * 4);
      if (body.length !== bytesOf(head.sizes)) return undefined;
      const { tree, lacking, sizes } = head;
      return { tree, lacking, table: new Table(body, sizes) };
    },
    writeTable(tree, { bytes, sizes }, lacking) {
      const head = JSON.stringify({ version: VERSION, tree, lacking, sizes });
      // Padded so that the columns begin at a multiple of four and can be used in place.
      const padded = `${head}${" ".repeat(3 - (Buffer.byteLength(head) % 4))}\n`;
      writeKept(tableFile, Buffer.concat([Buffer.from(padded), bytes]));
    },
    readRows(key) {
      const bytes = readKept(rowsFile);
      const head = Buffer.byteLength(key);
      if (bytes?.toString("utf8", 0, head) !== key) return undefined;
      return new Uint32Array(new Uint8Array(bytes.subarray(head)).buffer);
    },
    writeRows(key, rows) {
      const body = Buffer.from(rows.buffer, rows.byteOffset, rows.byteLength);
      writeKept(rowsFile, Buffer.concat([Buffer.from(key), body]));
    },
    readEdges(key) {
      const bytes = readKept(edgesFile);
      const read =
        bytes &&
        (readJson(bytes.toString("utf8")) as
          | { key: string; edges: FoundEdges }
          | undefined);
      return read?.key === key ? read.edges : undefined;
    },
    writeEdges(key, edges) {
      writeKept(edgesFile, Buffer.from(JSON.stringify({ key, edges })));
    },
    readRecent() {
      const bytes = readKept(recentFile);
      const isOurs = bytes?.subarray(0, recentHead.length).equals(recentHead);
      return new RecentFacts(
        isOurs ? bytes?.subarray(recentHead.length) : undefined,
      );
    },
    writeRecent(recent) {
      writeKept(recentFile, Buffer.concat([recentHead, recent.bytes()]));
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
