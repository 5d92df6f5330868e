import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import {
  absentAfterFetch,
  blobId,
  type DiffReader,
  type Git,
} from "@skein/git";
import type {
  ReferenceGraph,
  ReferringWorkspace,
  AsideNames,
  UnparsedFile,
} from "./graph.js";
import { buildTable, type ScannedFile } from "./index/table/build-table.js";
import { Layer } from "./index/layer.js";
import { keyOfFacts, Layout, layoutFacts } from "./index/layout.js";
import { openGraph } from "./index/open-graph.js";
import { withEdges } from "./index/edges/with-edges.js";
import type { ScanBytes } from "./scan/scanners.js";
import { keyOfBlob, type TreeSource } from "./index/table/read-whole.js";
import type { FileToScan } from "./index/table/scan-files.js";
import {
  noStore,
  openStore,
  type Store,
  VERSION,
} from "./index/table/store.js";
import type { Table } from "./index/table/table.js";
import { type Base, readBase, type Reading, toScan } from "./reading.js";
import type { FileFacts } from "./reference.js";
import { dirOf } from "./resolve.js";

export interface ReadReferencesOptions {
  readonly git: Git;
  /** A reader of differences that is open already. Default: a process is started if one is needed. */
  readonly diffs?: DiffReader | undefined;
  /**
   * Id of the tree to read: `HEAD^{tree}`, or `HEAD:sub/folder` if the project isn't at the top of the repository. All paths
   * are relative to the top of this tree.
   */
  readonly tree: string;
  /**
   * All workspaces, including the root (`.`). To find references to a deleted or renamed package, add those of the base after
   * those of the head. If a name occurs twice, the first entry counts, and both folders belong to the same package.
   */
  readonly workspaces: readonly ReferringWorkspace[];
  /**
   * A key of everything that the workspaces are made of, if the caller has one; otherwise they are hashed. With a key,
   * `workspaces` may be a getter, which is not called if all results are stored.
   */
  readonly workspacesKey?: string | undefined;
  /** Returns whether a folder with a manifest is a workspace although it isn't in `workspaces`. Default: none is. */
  readonly isWorkspace?: (dir: string) => Promise<boolean>;
  /**
   * A folder that probably contains the same files: reading there is faster than from git's objects. Each file is checked
   * against its id, so the content need not match.
   */
  readonly checkout?: string | undefined;
  /** The folder in which `tree` is checked out, if files of that folder count. */
  readonly workingTree?: {
    readonly dir: string;
    /** Paths that may differ from `tree` on the disk: staged, unstaged, untracked. A file that doesn't exist is deleted. */
    readonly changed: readonly string[];
  };
  /** Determines which files are tests or pages. Default: none is. */
  readonly asides?: AsideNames;
  /**
   * A reading that was started for the same project before its workspaces were known. If it is of another tree, it is
   * stopped.
   */
  readonly reading?: Reading | undefined;
  /** The folder in which the index is stored between runs, usually `<git common dir>/skein`. Default: nothing is stored. */
  readonly cacheDir?: string;
}

const NO_ASIDES: AsideNames = {
  isTest: () => false,
  isPage: () => false,
  key: "",
};

/**
 * Reads the references of all files of a project. It reads only files that the stored index doesn't contain.
 * @throws {GitError} if git can't list the tree
 */
export async function readReferences(
  options: ReadReferencesOptions,
): Promise<ReferenceGraph> {
  const store =
    options.cacheDir === undefined ? noStore : openStore(options.cacheDir);
  const base = await baseOf(options, store);
  const replaced = new Set([
    ...base.gone,
    ...(options.workingTree?.changed ?? []),
  ]);
  const overlay = await readOverlay(options, store, base.changed);
  const gone = filesOf(base.table, replaced);
  const key = keyOfFacts([
    VERSION,
    base.tree,
    base.lacking.map(([path]) => path),
    options.workspacesKey ?? layoutFacts(options.workspaces),
  ]);
  // The same files have the same results, which may be stored.
  const isWhole = base.unreadable.length + overlay.unreadable.length === 0;
  const edgesKey = keyOfFacts([
    key,
    options.asides?.key,
    [...replaced].sort(),
    overlay.keys,
  ]);
  const known = isWhole ? store.readEdges(edgesKey) : undefined;
  const open = (unlisted: readonly string[] = []) => {
    const layout = new Layout(options.workspaces);
    const unshown = store.readRows(key);
    const whole = new Layer(base.table, layout, gone, unshown);
    if (!unshown && base.unreadable.length === 0)
      store.writeRows(key, whole.unshownRows());
    const layers = [whole];
    if (overlay.files.length > 0) {
      const { table } = buildTable(overlay.files, false);
      layers.push(new Layer(table, layout, new Set()));
    }
    return openGraph({
      layers,
      layout,
      names: options.asides ?? NO_ASIDES,
      unparsed: () => [
        ...unparsedOf(base.table, replaced),
        ...overlay.files.flatMap(({ path, facts }) =>
          facts.unparsed === undefined
            ? []
            : [{ file: path, reason: facts.unparsed }],
        ),
      ],
      unlisted,
      unreadable: [...base.unreadable, ...overlay.unreadable],
    });
  };
  if (known) return withEdges(known, open);
  const manifests = [
    ...base.table.manifests().filter((path) => !replaced.has(path)),
    ...overlay.files
      .map(({ path }) => path)
      .filter((path) => path.endsWith("/package.json")),
  ];
  const unlisted = await unlistedOf(manifests, options);
  const graph = open(unlisted);
  if (!isWhole || unlisted.length > 0) return graph;
  const edges = graph.edges();
  store.writeEdges(edgesKey, edges);
  return withEdges(edges, () => graph);
}

/** Returns the folders of manifests that belong to workspaces although they aren't listed. */
async function unlistedOf(
  manifests: readonly string[],
  { workspaces, isWorkspace }: ReadReferencesOptions,
): Promise<readonly string[]> {
  if (!isWorkspace) return [];
  const listed = new Set(workspaces.map(({ dir }) => dir));
  const unlisted: string[] = [];
  for (const dir of manifests.map(dirOf))
    if (!listed.has(dir) && (await isWorkspace(dir))) unlisted.push(dir);
  return unlisted;
}

async function baseOf(
  options: ReadReferencesOptions,
  store: Store,
): Promise<Base> {
  const { reading } = options;
  if (reading?.tree === options.tree) return reading.base;
  await reading?.stop();
  return readBase(sourceOf(options), store);
}

function sourceOf({
  git,
  diffs,
  tree,
  checkout,
  workingTree,
}: ReadReferencesOptions): TreeSource {
  return { git, diffs, tree, dir: checkout ?? workingTree?.dir };
}

/** Files that are scanned without a look at Ctrl-C: about 50 ms. */
const SCANNED_AT_ONCE = 32;

/** Reads what isn't in the table: blobs of the tree, and files of the working folder. */
async function readOverlay(
  options: ReadReferencesOptions,
  store: Store,
  changed: readonly FileToScan[],
) {
  const { tree, workingTree } = options;
  const replaced = new Set(workingTree?.changed);
  const inTree = changed.filter(([path]) => !replaced.has(path));
  const onDisk = (workingTree?.changed ?? []).flatMap((path) => {
    const file = readDisk(join(workingTree?.dir ?? "", path));
    return toScan(
      path,
      file?.mode,
      file && blobId(file.bytes, tree.length),
    ).map((toScan) => ({ toScan, bytes: file?.bytes ?? Buffer.alloc(0) }));
  });
  const all = [...inTree, ...onDisk.map(({ toScan }) => toScan)];
  const files: ScannedFile[] = [];
  const unreadable: string[] = [];
  // Everything that the files' facts depend on.
  const keys = all.map(([path, kind, id]) => `${path}\0${keyOfBlob(kind, id)}`);
  if (keys.length === 0) return { files, unreadable, keys };
  const recent = store.readRecent();
  const isUnknown = ([, kind, id]: FileToScan) =>
    !recent.has(keyOfBlob(kind, id));
  const unknown = inTree.filter(isUnknown);
  const found = await scan(unknown, sourceOf(options));
  unknown.forEach(([path, kind, id], i) => {
    const facts = found[i];
    if (facts) recent.set(keyOfBlob(kind, id), facts);
    else unreadable.push(path);
  });
  let scanBytes: ScanBytes | undefined;
  let scanned = 0;
  for (const { toScan, bytes } of onDisk) {
    if (!isUnknown(toScan)) continue;
    const [, kind, id] = toScan;
    scanBytes ??= await loadScanner();
    if (++scanned % SCANNED_AT_ONCE === 0) {
      await new Promise((resolve) => setImmediate(resolve));
      options.git.signal?.throwIfAborted();
    }
    recent.set(keyOfBlob(kind, id), scanBytes(kind, bytes));
  }
  for (const [path, kind, id] of all) {
    const facts = recent.get(keyOfBlob(kind, id));
    if (facts) files.push({ path, id, facts });
  }
  if (recent.isNew) store.writeRecent(recent);
  return { files, unreadable, keys };
}

/** Scans a few files of the tree. It loads the scanners only if there are files. */
async function scan(
  files: readonly FileToScan[],
  { git, tree, dir }: TreeSource,
): Promise<readonly (FileFacts | null)[]> {
  if (files.length === 0) return [];
  const { scanFiles } = await import("./index/table/scan-files.js");
  const ids = files.map(([, , id]) => id);
  // Most of them are on the disk. Git needs to look for missing blobs only if it has to read some.
  const near = { git, dir, absent: new Set(ids) };
  const scanBytes = await loadScanner();
  const onDisk = await scanFiles(files, near, scanBytes);
  const others = files.filter((_, index) => !onDisk[index]);
  if (others.length === 0) return onDisk;
  const wanted = others.map(([, , id]) => id);
  const absent = await absentAfterFetch(git, tree, wanted);
  const far = { git, dir: undefined, absent };
  const read = await scanFiles(others, far, scanBytes);
  const inGit = new Map(others.map((file, index) => [file, read[index]]));
  return files.map((file, index) => onDisk[index] ?? inGit.get(file) ?? null);
}

/** Loads the scanners. Most runs find all facts in the index, and need none. */
async function loadScanner(): Promise<ScanBytes> {
  return (await import("./scan/load-scanner.js")).loadScanner();
}

/** Reads a file or a symlink of the working folder; undefined for anything else, which is treated as deleted. */
function readDisk(
  file: string,
): { readonly mode: string; readonly bytes: Buffer } | undefined {
  try {
    const stat = lstatSync(file);
    if (stat.isSymbolicLink())
      return { mode: "120000", bytes: readlinkSync(file, "buffer") };
    return stat.isFile()
      ? { mode: "100644", bytes: readFileSync(file) }
      : undefined;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(code)) return undefined;
    throw error;
  }
}

/** Returns the numbers of these files in a table. */
function filesOf(
  table: Table,
  paths: ReadonlySet<string>,
): ReadonlySet<number> {
  const nodes = new Set<number>();
  for (const path of paths) nodes.add(table.nodeOf(path));
  const files = new Set<number>();
  if (nodes.size > 0)
    table.columns.fileNode.forEach(
      (node, file) => nodes.has(node) && files.add(file),
    );
  return files;
}

function unparsedOf(
  table: Table,
  replaced: ReadonlySet<string>,
): readonly UnparsedFile[] {
  const unparsed: UnparsedFile[] = [];
  table.columns.fileNote.forEach((note, file) => {
    const path = note > 0 ? table.pathOf(file) : "";
    if (note > 0 && !replaced.has(path))
      unparsed.push({ file: path, reason: table.string(note - 1) });
  });
  return unparsed;
}
