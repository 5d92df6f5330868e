import {
  DIFF_RAW_ARGS,
  type Git,
  GitError,
  openGit,
  parseDiffRaw,
} from "@skein/git";
import { readWhole, type TreeSource } from "./index/table/read-whole.js";
import type { FileToScan } from "./index/table/scan-files.js";
import { openStore, type Store } from "./index/table/store.js";
import type { Table } from "./index/table/table.js";
import { fileKind } from "./scan/file-kinds.js";

/** The index of a tree: a table, and the changes since it was made. */
export interface Base extends Since {
  readonly table: Table;
  /** The tree from which the table was made. */
  readonly tree: string;
  /** The files of that tree that the table lacks. */
  readonly lacking: readonly FileToScan[];
  /** Paths of blobs that git doesn't have here. */
  readonly unreadable: readonly string[];
}

interface Since {
  /** Paths whose facts in the table are no longer valid. */
  readonly gone: readonly string[];
  /** Files to read instead. */
  readonly changed: readonly FileToScan[];
}

/** A tree whose files are being read. */
export interface Reading {
  readonly tree: string;
  readonly base: Promise<Base>;
  /** Stops it, or waits for its end. Afterwards nothing more is read or written. */
  stop(): Promise<void>;
}

export interface ReadingOptions {
  readonly git: Git;
  /** @see ReadReferencesOptions */
  readonly tree: string;
  readonly checkout: string;
  readonly cacheDir: string;
}

/**
 * Starts to read the files of a tree for which nothing is stored, before anything else is known of the project: in a run that
 * has to read all files, this takes the most time.
 * @returns undefined if something is stored, since opening that takes almost no time
 */
export function beginReading({
  git,
  tree,
  checkout,
  cacheDir,
}: ReadingOptions): Reading | undefined {
  const store = openStore(cacheDir);
  if (store.hasTable()) return undefined;
  const stopping = new AbortController();
  const signals = [stopping.signal, ...(git.signal ? [git.signal] : [])];
  const { cwd, env } = git;
  const base = readBase(
    {
      git: openGit({ cwd, env, signal: AbortSignal.any(signals) }),
      tree,
      dir: checkout,
    },
    store,
  );
  const ended = base.then(
    () => undefined,
    () => undefined,
  );
  return {
    tree,
    base,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

/**
 * With more changes than this since the stored table, a new one is made: reading the facts of single blobs would take longer.
 */
const MANY = 1000;

/** Opens the stored table, or makes one of the whole tree. */
export async function readBase(
  source: TreeSource,
  store: Store,
): Promise<Base> {
  const kept = store.readTable();
  const since = kept && (await filesSince(source, kept.tree));
  if (!kept || !since) return readWhole(source, store, kept?.table);
  const replaced = new Set(since.gone);
  // Git may have fetched them since.
  const lacking = kept.lacking.filter(([path]) => !replaced.has(path));
  const changed = [...since.changed, ...lacking];
  return changed.length <= MANY
    ? { ...kept, gone: since.gone, changed, unreadable: [] }
    : readWhole(source, store, kept.table);
}

/**
 * Returns the differences between an old tree and the source.
 * @returns undefined if the old tree isn't here (a shallow clone, a copied index)
 */
async function filesSince(
  { git, diffs, tree }: TreeSource,
  from: string,
): Promise<Since | undefined> {
  if (from === tree) return { gone: [], changed: [] };
  try {
    const entries = diffs
      ? await diffs.read(from, tree, "trees")
      : parseDiffRaw(
          (await git.run([...DIFF_RAW_ARGS, "--end-of-options", from, tree]))
            .stdout,
        );
    return {
      gone: entries.map(({ path }) => path),
      changed: entries.flatMap(({ path, newMode, newId }) =>
        toScan(path, newMode, newId),
      ),
    };
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}

/**
 * Returns how a changed path of the tree is to be read.
 * @returns undefined for a path that was deleted or isn't read
 */
export function toScan(
  path: string,
  mode: string | undefined,
  id: string | undefined,
): FileToScan[] {
  const kind = mode === undefined ? undefined : fileKind(path, mode);
  return kind && id !== undefined ? [[path, kind, id]] : [];
}
