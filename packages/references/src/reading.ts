import {
  DIFF_RAW_ARGS,
  type Git,
  GitError,
  openGit,
  parseDiffRaw,
} from "@skein/git";
import { readWhole, type TreeSource } from "./index/read-whole.js";
import type { FileToScan } from "./index/scan-files.js";
import { openStore, type Store } from "./index/store.js";
import type { Table } from "./index/table.js";
import { fileKind } from "./scan/file-kinds.js";

/** What is known of a tree: a table, and what has changed since it was made. */
export interface Base extends Since {
  readonly table: Table;
  /** The tree the table was made of. */
  readonly tree: string;
  /** Paths of blobs that git does not have here. */
  readonly unreadable: readonly string[];
}

interface Since {
  /** Paths whose facts in the table no longer hold. */
  readonly gone: readonly string[];
  /** What is to be read instead. */
  readonly changed: readonly FileToScan[];
}

/** A tree whose files are being read. */
export interface Reading {
  readonly tree: string;
  readonly base: Promise<Base>;
  /** Ends it, or waits for its end: afterwards nothing more is read or written. */
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
 * Begins to read the files of a tree of which nothing is kept, before anything else is known of the project: in a run that
 * has to read them all, that takes longest.
 * @returns undefined where something is kept; that is opened in no time
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

/** More changes than this since the kept table, and a new one is made: reading single blobs' facts would cost more. */
const MANY = 1000;

/** Opens the table that is kept, or makes one of the whole tree. */
export async function readBase(
  source: TreeSource,
  store: Store,
): Promise<Base> {
  const { git, tree } = source;
  const kept = store.readTable();
  const since = kept && (await filesSince(git, kept.tree, tree));
  return kept && since && since.changed.length <= MANY
    ? { ...since, table: kept.table, tree: kept.tree, unreadable: [] }
    : readWhole(source, store, kept?.table);
}

/** What differs between two trees. @returns undefined when the old one is not here (a shallow clone, a copied index) */
async function filesSince(
  git: Git,
  from: string,
  to: string,
): Promise<Since | undefined> {
  if (from === to) return { gone: [], changed: [] };
  try {
    const { stdout } = await git.run([
      ...DIFF_RAW_ARGS,
      "--end-of-options",
      from,
      to,
    ]);
    const entries = parseDiffRaw(stdout);
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

/** @returns nothing for what is gone or is not read */
export function toScan(
  path: string,
  mode: string | undefined,
  id: string | undefined,
): FileToScan[] {
  const kind = mode === undefined ? undefined : fileKind(path, mode);
  return kind && id !== undefined ? [[path, kind, id]] : [];
}
