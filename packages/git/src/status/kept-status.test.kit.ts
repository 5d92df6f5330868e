import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { gitTestEnv } from "@skein/testing";
import { fileState, type FileState } from "./file-state.js";
import { openGit, type Git } from "../git.js";
import { readKeptStatus } from "./kept-status.js";
import { parseStatusV2, STATUS_ARGS, type Status } from "./status-v2.js";

/** A worktree whose state is read with a cached copy of its index. */
export interface Worktree {
  readonly index: string;
  /** Returns git's answer with the copy. */
  readonly kept: (git?: Git) => Promise<readonly string[] | undefined>;
  /** Returns the word for all folders in git's answer with the copy. */
  readonly folders: () => Promise<string | undefined>;
  /** Returns git's answer without a cache. */
  readonly plain: () => Promise<readonly string[]>;
  /** Creates the mark, then the copy. */
  readonly keep: () => Promise<void>;
  /**
   * Sets the times of all files to a minute ago, of the index too. Git always checks files that are younger than two
   * seconds.
   */
  readonly age: () => void;
}

/** Opens a working tree for tests of the cached status. */
export function worktree(
  dir: string,
  gitDir = join(dir, ".git"),
  commonDir = gitDir,
): Worktree {
  const git = openGit({ cwd: dir, env: gitTestEnv });
  const index = join(gitDir, "index");
  const place = { gitDir, commonDir, keepIn: join(commonDir, "skein") };
  const kept = async (asked = git) => {
    const status = await readKeptStatus(asked, stateOf(index), place);
    return status && lines(status);
  };
  return {
    index,
    kept,
    folders: async () =>
      (await readKeptStatus(git, stateOf(index), place))?.folders,
    async plain() {
      const { stdout } = await git.run(STATUS_ARGS);
      return lines(parseStatusV2(stdout));
    },
    async keep() {
      await kept();
      await kept();
    },
    age() {
      age(dir, Date.now() / 1000 - 60);
      setTime(index, Date.now() / 1000 - 30);
    },
  };
}

/** Returns the state of a file. @throws if it doesn't exist */
export function stateOf(file: string): FileState {
  const state = fileState(file);
  if (!state) throw new Error(`there is no ${file}`);
  return state;
}

function lines({ head, entries }: Status): string[] {
  return [
    `HEAD ${head ?? "none"}`,
    ...entries.map((entry) => JSON.stringify(entry)).sort(),
  ];
}

function age(dir: string, seconds: number): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.name === ".git" || entry.isSymbolicLink()) continue;
    if (entry.isDirectory()) age(path, seconds);
    else setTime(path, seconds);
  }
  setTime(dir, seconds);
}

/** Sets the times of a file. @param seconds since 1970 */
export function setTime(path: string, seconds: number): void {
  utimesSync(path, seconds, seconds);
}
