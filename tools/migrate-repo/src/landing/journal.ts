import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Failure } from "@skein/reporting";
import type { RefUpdate } from "@skein/git";

/** One change to the user's files, and how to take it back. Paths are absolute. */
export type FileMove =
  /** What was staged goes where nothing is; a whole folder at once where the folder is new. */
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
  readonly objects: readonly { readonly from: string; readonly to: string }[];
  readonly moves: readonly FileMove[];
  readonly index: {
    readonly path: string;
    /** The index as it will be. */
    readonly prepared: string;
    /** A copy of the index as it was. */
    readonly before: string;
  };
}

/** What a command that was killed leaves for `continue` and `abort`. */
export interface Journal {
  readonly version: 1;
  /** The migration's name, or its source before the name is known. */
  readonly name: string;
  readonly pid: number;
  /** What was typed, for `continue` to do it again where nothing has landed. */
  readonly argv: readonly string[];
  /** The quarantine's folder, once there is one. */
  readonly quarantine: string | undefined;
  readonly stage:
    /** Nothing of the target has been touched. */
    | { readonly kind: "building" }
    | { readonly kind: "landing"; readonly landing: Landing }
    /** A sync's merge is in the working tree, for the user to resolve. */
    | { readonly kind: "merging"; readonly merging: Merging };
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
  /** Begins. @throws {Failure} when another one is there */
  begin(journal: Journal): Promise<void>;
  /** Replaces it as a whole; a kill leaves the old one or the new one. */
  update(journal: Journal): Promise<void>;
  /** Ends: nothing of the migration is left in the git folder. */
  end(): Promise<void>;
}

/** @param commonDir the target's git folder */
export function openJournal(commonDir: string): JournalFile {
  const folder = join(commonDir, "skein-migrate");
  const file = join(folder, "journal.json");
  const write = async (path: string, journal: Journal, flags: string) => {
    await mkdir(dirname(path), { recursive: true });
    await using handle = await open(path, flags);
    await handle.writeFile(`${JSON.stringify(journal)}\n`);
    await handle.sync();
  };
  return {
    folder,
    async read() {
      const text = await readFile(file, "utf8").catch(() => undefined);
      // A kill while the first one is written leaves half a line: nothing had been done by then.
      if (text?.endsWith("\n") !== true) return undefined;
      return JSON.parse(text) as Journal;
    },
    async begin(journal) {
      const old = await readFile(file, "utf8").catch(() => undefined);
      if (old !== undefined && !old.endsWith("\n")) await rm(file);
      try {
        await write(file, journal, "wx");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
        throw new Failure("another migration is going on in this repository", {
          hint: "wait for it; or, if it was killed: migrate-repo continue, or migrate-repo abort",
        });
      }
    },
    async update(journal) {
      await write(`${file}.new`, journal, "w");
      await rename(`${file}.new`, file);
    },
    async end() {
      await rm(file, { force: true });
      await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
