import { type Git, parseLsTree } from "@skein/git";
import type { FileFacts } from "../reference.js";
import { fileKind } from "../scan/file-kinds.js";
import { absentBlobs } from "./absent-blobs.js";
import { TableBuilder } from "./build-table.js";
import type { TakeFacts } from "./scan-all.js";
import type { FileToScan } from "./scan-files.js";
import type { Store } from "./store.js";
import type { Table } from "./table.js";

/** Where files come from: a tree, and perhaps a folder that holds the same. */
export interface TreeSource {
  readonly git: Git;
  readonly tree: string;
  readonly dir: string | undefined;
}

/** Makes the table of a whole tree, from the old table where that knows the blob, and keeps it. */
export async function readWhole(
  source: TreeSource,
  store: Store,
  kept: Table | undefined,
) {
  const { git, tree } = source;
  const { stdout } = await git.run([
    "ls-tree",
    "-r",
    "-z",
    "--full-tree",
    "--end-of-options",
    tree,
  ]);
  const files = parseLsTree(stdout).flatMap(({ path, mode, id }) => {
    const kind = fileKind(path, mode);
    return kind ? [{ path, mode, id, key: keyOf(kind, id) }] : [];
  });
  const known = kept ? knownFacts(kept) : new Map<string, FileFacts>();
  /** Files of one kind with one content say the same: the first of them is read. */
  const missing = new Map<string, FileToScan>();
  for (const { path, mode, id, key } of files)
    if (!known.has(key) && !missing.has(key))
      missing.set(key, [path, mode, id]);
  const builder = new TableBuilder();
  const unreadable: string[] = [];
  const scanned = new Map<string, FileFacts | null>();
  let next = 0;
  /** Adds files, in the tree's order, as far as their facts are there: while others are being scanned. */
  const addFiles = () => {
    for (let file = files[next]; file; file = files[++next]) {
      const { path, id, key } = file;
      const facts = known.get(key) ?? scanned.get(key);
      if (facts === undefined) return;
      if (facts) builder.add({ path, id, facts });
      else unreadable.push(path);
    }
  };
  const keys = [...missing.keys()];
  await scan([...missing.values()], source, (start, facts) => {
    facts.forEach((one, i) => scanned.set(keys[start + i] ?? "", one));
    addFiles();
  });
  addFiles();
  const built = builder.finish(true);
  // A table with holes would be taken for whole by the next run.
  if (unreadable.length === 0) {
    store.writeTable(tree, built);
    store.writeRecent(new Map());
  }
  return { table: built.table, tree, unreadable, gone: [], changed: [] };
}

/** Scans files of the tree. The scanners are loaded only here: a warm run has nothing to scan. */
export async function scan(
  files: readonly FileToScan[],
  { git, tree, dir }: TreeSource,
  take: TakeFacts,
): Promise<void> {
  if (files.length === 0) return;
  const { scanAll } = await import("./scan-all.js");
  const absent = await absentBlobs(git, tree);
  await scanAll(files, { git, dir, absent }, take);
}

function knownFacts(table: Table): Map<string, FileFacts> {
  const known = new Map<string, FileFacts>();
  for (let file = 0; file < table.files; file++) {
    const facts = table.factsOf(file);
    // A symlink's mode is not kept; its one reference tells it.
    const mode = facts.references[0]?.kind === "symlink" ? "120000" : "100644";
    known.set(keyOfBlob(table.pathOf(file), mode, table.idOf(file)), facts);
  }
  return known;
}

/** A word for all that a file's facts depend on: how it is read, and its content. */
export function keyOfBlob(path: string, mode: string, id: string): string {
  return keyOf(fileKind(path, mode) ?? "", id);
}

function keyOf(kind: string, id: string): string {
  return `${kind}:${id}`;
}
