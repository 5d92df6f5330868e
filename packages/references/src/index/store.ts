import { existsSync } from "node:fs";
import { join } from "node:path";
import { readKept, writeKept } from "@skein/git";
import type { SourceEdge } from "../graph.js";
import { SCANNERS_VERSION } from "../scan/file-kinds.js";
import type { BuiltTable } from "./build-table.js";
import { bytesOf, type Sizes } from "./columns.js";
import { RecentFacts } from "./recent-facts.js";
import { Table } from "./table.js";

/** Raise it when the layout of the kept files changes, or when other edges come of the same references. */
const LAYOUT = 4;
export const VERSION = `${LAYOUT}.${SCANNERS_VERSION}`;

/** The kept table, and the tree whose files it knows. */
export interface KeptTable {
  readonly tree: string;
  readonly table: Table;
}

/**
 * Four files in one folder. `references.bin` is the table of one tree; `references-rows.bin` those of its rows that some
 * layout does not show; `references-edges.json` the edges that came of it with all that had changed since;
 * `references-recent.json` the facts of single blobs that came later, as far as they fit into a few megabytes. What is read is checked (version, length, CRC) and
 * otherwise as if it were not there; what is written goes to a file of its own and is renamed, so a torn write or a second
 * writer never shows.
 */
export interface Store {
  /** Whether anything is kept that may be a table. */
  hasTable(): boolean;
  readTable(): KeptTable | undefined;
  writeTable(tree: string, built: BuiltTable): void;
  /** Rows of a table that were found before. @param key a hash of everything they depend on */
  readRows(key: string): Uint32Array | undefined;
  writeRows(key: string, rows: Uint32Array): void;
  /** The source edges that were found last. @param key a hash of everything they depend on */
  readEdges(key: string): readonly SourceEdge[] | undefined;
  writeEdges(key: string, edges: readonly SourceEdge[]): void;
  readRecent(): RecentFacts;
  /** Keeps the facts that were used last. */
  writeRecent(recent: RecentFacts): void;
}

/** A store that keeps nothing. */
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

/** Opens the store in a folder, which need not exist. A folder that cannot be read or written keeps nothing. */
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
          { key: string; edges: readonly SourceEdge[] } | undefined);
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
