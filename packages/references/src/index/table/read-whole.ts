import {
  absentAfterFetch,
  type DiffReader,
  type Git,
  parseLsTree,
} from "@skein/git";
import type { FileFacts } from "../../reference.js";
import { type FileKind, fileKind } from "../../scan/file-kinds.js";
import { type ScannedFile, TableBuilder } from "./build-table.js";
import { ABSENT, endOfFacts, type FactsPart } from "./coded-facts.js";
import { RecentFacts } from "./recent-facts.js";
import type { ReceiveFacts } from "./scan-all.js";
import type { FileSource, FileToScan } from "./scan-files.js";
import type { Store } from "./store.js";
import type { Table } from "./table.js";

/** The source of files: a tree, and optionally a folder that may contain the same files. */
export interface TreeSource {
  readonly git: Git;
  /** A reader of differences that is open already. Default: a process is started if one is needed. */
  readonly diffs?: DiffReader | undefined;
  readonly tree: string;
  readonly dir: string | undefined;
}

/**
 * Makes the table of a whole tree, and stores it. It copies the facts of files that have the same path and blob in the old
 * table.
 */
export async function readWhole(
  source: TreeSource,
  store: Store,
  kept: Table | undefined,
) {
  const { git, tree } = source;
  const list = ["ls-tree", "-r", "-z", "--full-tree", "--end-of-options"];
  const { stdout } = await git.run([...list, tree]);
  const known = kept ? knownFacts(kept) : new Map<string, FileFacts>();
  /** Files of the same kind and content have the same facts, so only the first one is read. */
  const missing: FileToScan[] = [];
  const places = new Map<string, number>();
  const files = parseLsTree(stdout).flatMap(({ path, mode, id }): File[] => {
    const kind = fileKind(path, mode);
    if (!kind) return [];
    const key = keyOfBlob(kind, id);
    const facts = known.get(`${path}\0${key}`);
    if (facts) return [{ path, id, facts }];
    let place = places.get(key);
    if (place === undefined) {
      place = missing.push([path, kind, id]) - 1;
      places.set(key, place);
    }
    return [{ path, kind, id, place }];
  });
  const builder = new TableBuilder();
  const lacking: FileToScan[] = [];
  const parts: FactsPart[] = [];
  /** The location of each file's facts, by the file's place. */
  const partOf = new Int32Array(missing.length).fill(-1);
  const startOf = new Int32Array(missing.length);
  let next = 0;
  /** Adds files in the tree's order, as far as their facts are available, while others are being scanned. */
  const addFiles = () => {
    for (let file = files[next]; file; file = files[++next]) {
      if (file.facts) {
        builder.add(file);
        continue;
      }
      const part = parts[partOf[file.place] ?? -1];
      if (!part) return;
      const at = startOf[file.place] ?? 0;
      if (part.numbers[at] === ABSENT)
        lacking.push([file.path, file.kind, file.id]);
      else builder.addCoded(file.path, file.id, part, at);
    }
  };
  const ids = missing.map(([, , id]) => id);
  const absent = await absentAfterFetch(git, tree, ids);
  await scanMissing(missing, { ...source, absent }, (start, part) => {
    const number = parts.push(part) - 1;
    let place = start;
    for (let at = 0; at < part.numbers.length; place++) {
      partOf[place] = number;
      startOf[place] = at;
      at = endOfFacts(part.numbers, at);
    }
    addFiles();
  });
  addFiles();
  const built = builder.finish(true);
  store.writeTable(tree, built, lacking);
  store.writeRecent(new RecentFacts());
  const unreadable = lacking.map(([path]) => path);
  const { table } = built;
  return { table, tree, lacking, unreadable, gone: [], changed: [] };
}

/** A file of the tree: its facts, or its place among the files that are read. */
type File =
  | ScannedFile
  | {
      readonly path: string;
      readonly kind: FileKind;
      readonly id: string;
      readonly place: number;
      readonly facts?: undefined;
    };

// The scanners are loaded only here: a run with a complete index has nothing to scan.
async function scanMissing(
  files: readonly FileToScan[],
  source: FileSource,
  take: ReceiveFacts,
): Promise<void> {
  if (files.length === 0) return;
  const { scanAll } = await import("./scan-all.js");
  await scanAll(files, source, take);
}

/**
 * Returns the facts of a table by path and content. The key includes the path, because a table omits references that mean
 * nothing at the file's place (`../..` in the root) but may mean something elsewhere.
 */
function knownFacts(table: Table): Map<string, FileFacts> {
  const known = new Map<string, FileFacts>();
  for (let file = 0; file < table.files; file++) {
    const facts = table.factsOf(file);
    // A symlink's mode is not stored; its single reference identifies it.
    const mode = facts.references[0]?.kind === "symlink" ? "120000" : "100644";
    const path = table.pathOf(file);
    const kind = fileKind(path, mode);
    if (kind) known.set(`${path}\0${keyOfBlob(kind, table.idOf(file))}`, facts);
  }
  return known;
}

/** Returns a key of everything that a file's facts depend on: its kind and its content. */
export function keyOfBlob(kind: FileKind, id: string): string {
  return `${kind}:${id}`;
}
