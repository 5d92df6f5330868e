import {
  constants,
  copyFile,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  rmdir,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import type { RefUpdate } from "@skein/git";

/** One change to the user's files, and how to take it back. Paths are absolute. */
export type FileMove =
  /** A staged file goes to a free place; a whole folder at once if the folder is new. */
  | { readonly kind: "place"; readonly staged: string; readonly path: string }
  | {
      readonly kind: "replace";
      readonly staged: string;
      readonly path: string;
      readonly backup: string;
    }
  | { readonly kind: "remove"; readonly path: string; readonly backup: string };

/** Everything a landing will do, written down before the first of it is done. */
export interface Landing {
  readonly topLevel: string;
  /** Full name of the checked-out branch. */
  readonly branch: string;
  readonly oldHead: string;
  readonly newHead: string;
  readonly refs: readonly RefUpdate[];
  readonly message: string;
  /** New files of the object database: where they are, and where they go. */
  readonly objects: readonly {
    readonly from: string;
    readonly to: string;
    /** When it was last written, in milliseconds since 1970; undefined for what is no file of git's. */
    readonly written?: number;
  }[];
  readonly moves: readonly FileMove[];
  readonly index: {
    readonly path: string;
    /** The index as it will be. */
    readonly prepared: string;
    /** A copy of the index as it was. */
    readonly before: string;
  };
}

/** The state that a killed command leaves for `continue` and `abort`. */
export interface Journal {
  readonly version: 1;
  /** The migration's name, or its source before the name is known. */
  readonly name: string;
  readonly pid: number;
  /** The command line, so that `continue` can repeat it if nothing has landed. */
  readonly argv: readonly string[];
  /** The quarantine's folder, once there is one. */
  readonly quarantine: string | undefined;
  readonly stage:
    /** Nothing of the target has been touched. */
    | { readonly kind: "building" }
    | { readonly kind: "landing"; readonly landing: Landing }
    /** A sync's merge is in the working tree, for the user to resolve. */
    | { readonly kind: "merging"; readonly merging: Merging }
    /** All is done; temporary files are being removed. */
    | {
        readonly kind: "over";
        readonly outcome: "landed" | "taken-back";
        /** The branch's commit where it has landed. */
        readonly head: string | undefined;
      };
}

/** A merge with conflicts, as `git merge` leaves it. */
export interface Merging {
  /** The commit the branch had. */
  readonly head: string;
  /** The commit that is merged into it. */
  readonly mergeHead: string;
  /** Refs that move when the merge is committed. */
  readonly refs: readonly RefUpdate[];
  readonly message: string;
  readonly objects: Landing["objects"];
}

/** The journal of one repository; all its worktrees share it. */
export interface JournalFile {
  /** The folder of everything a running migration keeps in the target's git folder. */
  readonly folder: string;
  read(): Promise<Journal | undefined>;
  /**
   * Removes what a migration left that was killed after it had come to its end, or before it had begun.
   * @param isAlive whether a process runs
   */
  clearAway(isAlive: (pid: number) => boolean): Promise<void>;
  /** Begins. @throws {Failure} when another one is there */
  begin(journal: Journal): Promise<void>;
  /** Replaces it as a whole; a kill leaves the old one or the new one. */
  update(journal: Journal): Promise<void>;
  /** Ends: nothing of the migration is left in the git folder. The journal goes last, so that a kill leaves it. */
  end(): Promise<void>;
}

/** @param commonDir the target's git folder */
export function openJournal(commonDir: string): JournalFile {
  const folder = join(commonDir, "skein-migrate");
  const file = join(folder, "journal.json");
  const read = async () => {
    const text = await readFile(file, "utf8").catch(() => undefined);
    // Where a file system has no hard links, a kill in `begin` leaves half a line: nothing had been done by then.
    if (text?.endsWith("\n") !== true) return undefined;
    return JSON.parse(text) as Journal;
  };
  const end = async () => {
    await removeTemporary(folder);
    await rm(file, { force: true });
    // Another migration may have begun by now: then the folder is not empty.
    await rmdir(folder).catch(() => undefined);
  };
  return {
    folder,
    read,
    end,
    async clearAway(isAlive) {
      const old = await read();
      if (old?.stage.kind === "over" && !isAlive(old.pid)) await end();
      if (old === undefined) await removeUnbegun(folder, isAlive);
    },
    async begin(journal) {
      const old = await readFile(file, "utf8").catch(() => undefined);
      if (old !== undefined && !old.endsWith("\n")) await rm(file);
      const fresh = `${file}.begin-${journal.pid}`;
      await write(fresh, journal);
      try {
        await placeJournal(fresh, file);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // A process that has begun meanwhile removes the files of others, this one's too.
        if (code !== "EEXIST" && code !== "ENOENT") throw error;
        throw new Failure("another migration is going on in this repository", {
          hint: "wait for it; or, if it was killed: migrate-repo continue, or migrate-repo abort",
          cause: error,
        });
      } finally {
        await rm(fresh, { force: true });
      }
      await removeTemporary(folder);
    },
    async update(journal) {
      await mkdir(folder, { recursive: true });
      await replaceFile(file, textOf(journal), `${file}.new`, { sync: true });
    },
  };
}

/**
 * Returns the migration that `continue` or `abort` has to end before another begins.
 * @param commonDir the target's git folder
 */
export async function pendingMigration(
  commonDir: string,
): Promise<string | undefined> {
  const journal = await openJournal(commonDir).read();
  return journal?.stage.kind === "over" ? undefined : journal?.name;
}

async function write(path: string, journal: Journal): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await using handle = await open(path, "w");
  await handle.writeFile(textOf(journal));
  await handle.sync();
}

function textOf(journal: Journal): string {
  return `${JSON.stringify(journal)}\n`;
}

/** Gives a whole journal its name, unless there is one of that name. */
async function placeJournal(fresh: string, file: string): Promise<void> {
  try {
    await link(fresh, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") throw error;
    // A file system without hard links.
    await copyFile(fresh, file, constants.COPYFILE_EXCL);
  }
}

/** Removes everything but the journal. */
async function removeTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => []))
    if (name !== "journal.json")
      await rm(join(folder, name), {
        recursive: true,
        force: true,
        maxRetries: 3,
      });
}

/** Removes journals that a killed process had written and not yet named. Those of processes that run stay. */
async function removeUnbegun(
  folder: string,
  isAlive: (pid: number) => boolean,
): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => [])) {
    const pid = /^journal\.json\.begin-(\d+)$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(folder, name), { force: true });
  }
  await rmdir(folder).catch(() => undefined);
}
