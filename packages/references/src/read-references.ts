import { lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { absentAfterFetch, blobId, type Git } from "@skein/git";
import type {
  ReferenceGraph,
  ReferringWorkspace,
  AsideNames,
  UnparsedFile,
} from "./graph.js";
import { buildTable, type ScannedFile } from "./index/build-table.js";
import { Layer } from "./index/layer.js";
import { keyOfFacts, Layout, layoutFacts } from "./index/layout.js";
import { openGraph } from "./index/open-graph.js";
import { withEdges } from "./index/with-edges.js";
import { keyOfBlob, type TreeSource } from "./index/read-whole.js";
import type { FileToScan } from "./index/scan-files.js";
import { noStore, openStore, type Store, VERSION } from "./index/store.js";
import type { Table } from "./index/table.js";
import { type Base, readBase, type Reading, toScan } from "./reading.js";
import type { FileFacts } from "./reference.js";
import { dirOf } from "./resolve.js";

export interface ReadReferencesOptions {
  readonly git: Git;
  /**
   * Id of the tree to read: `HEAD^{tree}`, or `HEAD:sub/folder` where the project is not at the top of the repository.
   * All paths are from the top of this tree.
   */
  readonly tree: string;
  /**
   * Every workspace, the root (`.`) included. To find what still refers to a deleted or renamed package, give those of
   * the base too, after those of the head: of equal names the first counts, its folder and the others' are the same package.
   */
  readonly workspaces: readonly ReferringWorkspace[];
  /**
   * A word for all that the workspaces are made of, where the caller has one; else they are hashed. With it, `workspaces`
   * may be a getter that is not asked where all is known.
   */
  readonly workspacesKey?: string | undefined;
  /** Tells of a folder with a manifest whether it is a workspace though it is not among them. Left out: none is. */
  readonly isWorkspace?: (dir: string) => Promise<boolean>;
  /**
   * A folder that probably holds the same files: it is quicker to read from than git's objects. Each file is checked
   * against its id, so it may hold anything.
   */
  readonly checkout?: string | undefined;
  /** The folder that `tree` is checked out in, where what is there counts. */
  readonly workingTree?: {
    readonly dir: string;
    /** Paths that may differ from `tree` on disk: staged, unstaged, untracked. What is not there is deleted. */
    readonly changed: readonly string[];
  };
  /** Which files are tests or pages. Left out: none is. */
  readonly asides?: AsideNames;
  /** What was begun for the same project before its workspaces were known. Of another tree, it is stopped. */
  readonly reading?: Reading | undefined;
  /** Where the index is kept between runs, `<git common dir>/skein` as a rule. Left out: nothing is kept. */
  readonly cacheDir?: string;
}

const NO_ASIDES: AsideNames = {
  isTest: () => false,
  isPage: () => false,
  key: "",
};

/**
 * Reads what all files of a project refer to; only files that the kept index does not know are read.
 * @throws {GitError} when git cannot list the tree
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
    options.workspacesKey ?? layoutFacts(options.workspaces),
  ]);
  // What came of the same files before comes of them again.
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
  const edges = graph.sourceEdges();
  store.writeEdges(edgesKey, edges);
  return withEdges(edges, () => graph);
}

/** The folders of manifests that are workspaces' all the same. */
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
  tree,
  checkout,
  workingTree,
}: ReadReferencesOptions): TreeSource {
  return { git, tree, dir: checkout ?? workingTree?.dir };
}

/** Reads what came after the table: blobs of the tree, and files of the working folder. */
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
  // All that the files' facts depend on.
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
  for (const { toScan, bytes } of onDisk) {
    if (!isUnknown(toScan)) continue;
    const [, kind, id] = toScan;
    const { scanBytes } = await import("./scan/scanners.js");
    const { loadParser } = await import("./scan/load-parser.js");
    recent.set(keyOfBlob(kind, id), scanBytes(kind, bytes, await loadParser()));
  }
  for (const [path, kind, id] of all) {
    const facts = recent.get(keyOfBlob(kind, id));
    if (facts) files.push({ path, id, facts });
  }
  if (recent.isNew) store.writeRecent(recent);
  return { files, unreadable, keys };
}

/** Scans a few files of the tree. The scanners are loaded only where there are any. */
async function scan(
  files: readonly FileToScan[],
  { git, tree, dir }: TreeSource,
): Promise<readonly (FileFacts | null)[]> {
  if (files.length === 0) return [];
  const { scanFiles } = await import("./index/scan-files.js");
  const ids = files.map(([, , id]) => id);
  const absent = await absentAfterFetch(git, tree, ids);
  return scanFiles(files, { git, dir, absent });
}

/** A file or a symlink of the working folder; undefined for anything else, which is as good as deleted. */
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

/** The numbers of these files in a table. */
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
