import { readFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import { Malformed, parse } from "@skein/reporting/json";
import { LAUNCH_STATE, type LaunchState } from "../launch.js";
import { draftOf, takeLock, type Holder } from "./lock.js";

/** The file of a launch's state, locked by one dispatcher until it is disposed of. */
export interface StateFile extends AsyncDisposable {
  /** The state that was saved last; undefined without one. */
  readonly known: LaunchState | undefined;
  /**
   * Replaces the state atomically.
   * @throws {Failure} if another process has taken over the file
   */
  readonly save: (state: LaunchState) => Promise<void>;
}

/**
 * Opens the file of a state for one dispatcher at a time.
 * @throws {Failure} if another dispatcher has the lock
 */
export async function openStateFile(
  file: string,
  own: Holder,
  isAlive: (pid: number) => boolean,
): Promise<StateFile> {
  const lock = await takeLock(file, own, isAlive);
  try {
    return {
      known: await readState(file),
      save: async (state) => {
        await lock.check();
        const text = `${JSON.stringify(state, null, 2)}\n`;
        await replaceFile(file, text, draftOf(file, own.owner), { sync: true });
      },
      [Symbol.asyncDispose]: () => lock.release(),
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/**
 * Reads the state.
 * @returns undefined if the file doesn't exist
 * @throws {Failure} if it isn't a state of version 1
 */
async function readState(file: string): Promise<LaunchState | undefined> {
  try {
    return parse(await readFile(file, "utf8"), LAUNCH_STATE, "state");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (!(error instanceof Malformed)) throw error;
    throw new Failure(
      `this isn't the state of a launch, version 1: ${error.message}`,
      {
        place: { file },
        hint: "give another file with --state; the runs of this launch continue",
      },
    );
  }
}
