import { readFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { replaceFile } from "@skein/reporting/replace-file";
import { Malformed, members } from "@skein/reporting/json";
import { PHASES, type LaunchState } from "../launch.js";
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
    return parseState(await readFile(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (!(error instanceof Malformed || error instanceof SyntaxError))
      throw error;
    throw new Failure(
      `this isn't the state of a launch, version 1: ${error.message}`,
      {
        place: { file },
        hint: "give another file with --state; the runs of this launch continue",
      },
    );
  }
}

function parseState(text: string): LaunchState {
  const of = members(JSON.parse(text) as unknown, "state");
  if (of.number("version") !== 1) throw new Malformed("state.version is not 1");
  return {
    version: 1,
    plan: of.text("plan"),
    repository: of.text("repository"),
    workflow: of.text("workflow"),
    ref: of.text("ref"),
    inputs: of.words("inputs"),
    retries: of.number("retries"),
    since: of.textOrNull("since"),
    jobs: of.list("jobs", (job) => ({
      job: job.text("job"),
      id: job.text("id"),
      machine: job.whole("machine"),
      attempt: job.whole("attempt"),
      phase: job.oneOf("phase", PHASES),
      run: job.optionalNumber("run") ?? null,
      conclusion: job.textOrNull("conclusion"),
      unseen: job.number("unseen"),
      lost: job.list("lost", (lost) => ({
        machine: lost.whole("machine"),
        attempt: lost.whole("attempt"),
        run: lost.optionalNumber("run") ?? null,
        conclusion: lost.textOrNull("conclusion"),
      })),
      retried: job.number("retried"),
      abandoned: job.texts("abandoned"),
    })),
  };
}
