import { readFile, rename, writeFile } from "node:fs/promises";
import { Failure } from "@skein/reporting";
import { Malformed, members } from "../json.js";
import { PHASES } from "../launch.js";
import type { LaunchState } from "../launch.js";

/** Writes the state whole, or leaves the old one. */
export async function writeState(
  file: string,
  state: LaunchState,
): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`);
  await rename(`${file}.new`, file);
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
    plan: of.text("plan"),
    repository: of.text("repository"),
    workflow: of.text("workflow"),
    ref: of.text("ref"),
    jobs: of.list("jobs", (job) => ({
      job: job.text("job"),
      id: job.text("id"),
      phase: job.oneOf("phase", PHASES),
      run: job.optionalNumber("run") ?? null,
      conclusion: job.textOrNull("conclusion"),
      unseen: job.number("unseen"),
      losses: job.number("losses"),
    })),
  };
}
