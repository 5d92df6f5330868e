import { mkdir, open, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import type { RefUpdate } from "@skein/git";
import { linkOrCopy } from "./file-moves.js";

/** One change to the user's files, and how to roll it back. Paths are absolute. */
export type FileMove =
  /** Moves a staged file to a free path, or a whole folder if the folder is new. */
  | { readonly kind: "place"; readonly staged: string; readonly path: string }
  | {
      readonly kind: "replace";
      readonly staged: string;
      readonly path: string;
      readonly backup: string;
    }
  | { readonly kind: "remove"; readonly path: string; readonly backup: string };

/** Everything that a landing will do, recorded before its first step. */
export interface Landing {
  readonly topLevel: string;
  /** The full name of the checked-out branch. */
  readonly branch: string;
  readonly oldHead: string;
  readonly newHead: string;
  readonly refs: readonly RefUpdate[];
  readonly message: string;
  /** The new files of the object database: where they are, and where they go. */
  readonly objects: readonly {
    readonly from: string;
    readonly to: string;
    /**
     * The modification time in milliseconds since 1970; undefined for files that git doesn't write, such as those of
     * LFS.
     */
    readonly written?: number;
  }[];
  readonly moves: readonly FileMove[];
  readonly index: {
    readonly path: string;
    /** The index that the landing writes. */
    readonly prepared: string;
    /** A copy of the index from before the landing. */
    readonly before: string;
  };
}

/** The state that a killed command leaves for `continue` and `abort`. */
export interface Journal {
  readonly version: 1;
  /** The migration's name, or its source until the name is known. */
  readonly name: string;
  readonly pid: number;
  /** The command line, so that `continue` can repeat it if nothing has landed. */
  readonly argv: readonly string[];
  /** The quarantine's folder, if it exists. */
  readonly quarantine: string | undefined;
  readonly stage:
    /** Nothing in the target has been changed. */
    | { readonly kind: "building" }
    | { readonly kind: "landing"; readonly landing: Landing }
    /** A sync's merge is in the working tree and waits for the user to resolve it. */
    | { readonly kind: "merging"; readonly merging: Merging }
    /** The migration has ended; temporary files are being removed. */
    | {
        readonly kind: "over";
        readonly outcome: "landed" | "taken-back";
        /** The branch's commit, if the migration landed. */
        readonly head: string | undefined;
      };
}

/** A merge with conflicts, in the state that `git merge` leaves. */
export interface Merging {
  /** The branch's commit before the merge. */
  readonly head: string;
  /** The commit that is merged into the branch. */
  readonly mergeHead: string;
  /** The refs to move when the merge is committed. */
  readonly refs: readonly RefUpdate[];
  readonly message: string;
  readonly objects: Landing["objects"];
}

/** The journal of one repository; all its worktrees share it. */
export interface JournalFile {
  /** The folder for all files that a running migration has in the target's git folder. */
  readonly folder: string;
  read(): Promise<Journal | undefined>;
  /**
   * Removes the files of a migration that was killed after its end or before its beginning.
   * @param isAlive whether a process runs
   */
  clearAway(isAlive: (pid: number) => boolean): Promise<void>;
  /** Writes the first journal. @throws {Failure} if another migration has one */
  begin(journal: Journal): Promise<void>;
  /** Replaces the journal in one step; a kill leaves either the old one or the new one. */
  update(journal: Journal): Promise<void>;
  /**
   * Removes all files of the migration from the git folder. The journal is removed last, so that it survives a kill.
   */
  end(): Promise<void>;
}

/** Opens the journal of a repository. @param commonDir the target's git folder */
export function openJournal(commonDir: string): JournalFile {
  const folder = join(commonDir, "skein-migrate");
  const file = join(folder, "journal.json");
  const read = async () => {
    const text = await readFile(file, "utf8").catch(() => undefined);
    // On a file system without hard links, a kill in `begin` can leave half a line. Nothing had been done by then.
    if (text?.endsWith("\n") !== true) return undefined;
    return JSON.parse(text) as Journal;
  };
  const end = async () => {
    await removeTemporary(folder);
    await rm(file, { force: true });
    // If another migration has started in the meantime, the folder isn't empty and `rmdir` fails.
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
        await linkOrCopy(fresh, file);
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        // Another process may have started in the meantime, and then it removes the files of all others, including ours.
        if (code !== "EEXIST" && code !== "ENOENT") throw error;
        throw new Failure("another migration is running in this repository", {
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
 * Returns the name of the migration that `continue` or `abort` must end before another one can begin.
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

/** Removes everything except the journal. */
async function removeTemporary(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch((): string[] => []))
    if (name !== "journal.json")
      await rm(join(folder, name), {
        recursive: true,
        force: true,
        maxRetries: 3,
      });
}

/**
 * Removes journals that killed processes wrote but did not give their final name. It leaves those of running processes.
 */
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
