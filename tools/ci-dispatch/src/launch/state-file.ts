import { readFile, rename, writeFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { Malformed, members } from "../json.js";
import { PHASES } from "../launch.js";
import type { LaunchState } from "../launch.js";

/**
 * Makes a writer that writes the state whole, or leaves the old one.
 * @param owner the dispatcher that writes; it takes the file over with its first state
 * @throws {Failure} from the writer, where another dispatcher has taken it over since: two would start jobs twice
 */
export function openStateFile(
  file: string,
  owner: string,
): (state: LaunchState) => Promise<void> {
  let isOurs = false;
  return async (state) => {
    if (isOurs && (await readState(file))?.owner !== owner)
      throw new Failure("another dispatcher goes on with this launch", {
        place: { file },
        hint: "let it; or run this again, and the other one ends",
      });
    isOurs = true;
    const text = JSON.stringify({ ...state, owner }, null, 2);
    await writeFile(`${file}.new`, `${text}\n`);
    await rename(`${file}.new`, file);
  };
}

/** @returns undefined where there is none yet @throws {Failure} where it is no state of version 1 */
export async function readState(
  file: string,
): Promise<LaunchState | undefined> {
  try {
    return parseState(await readFile(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    if (!(error instanceof Malformed || error instanceof SyntaxError))
      throw error;
    throw new Failure(
      `this is no state of a launch, version 1: ${error.message}`,
      {
        place: { file },
        hint: "give another file with --state; runs that this one knew go on",
      },
    );
  }
}

function parseState(text: string): LaunchState {
  const of = members(JSON.parse(text) as unknown, "state");
  if (of.number("version") !== 1) throw new Malformed("state.version is not 1");
  return {
    version: 1,
    owner: of.text("owner"),
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
      machine: job.number("machine"),
      phase: job.oneOf("phase", PHASES),
      run: job.optionalNumber("run") ?? null,
      conclusion: job.textOrNull("conclusion"),
      unseen: job.number("unseen"),
      losses: job.number("losses"),
      retried: job.number("retried"),
      abandoned: job.texts("abandoned"),
    })),
  };
}
