import process from "node:process";
import { isAlive, runCli, worldOf } from "@skein/reporting";
import { parseCli } from "./cli.js";
import { progressFor } from "./words/live-progress.js";
import { run } from "./run.js";
import { explainFailure } from "./words/world-failure.js";

/** Settles when the program has done its work and set the exit code. */
export const finished = runCli(
  "migrate-repo",
  worldOf(process, Date.now),
  async (world) => {
    const command = parseCli(world);
    if (typeof command === "number") return command;
    return run(
      {
        ...world,
        pid: process.pid,
        isAlive: (pid) => isAlive(process, pid),
        node: process,
        progress: progressFor(world),
        checkpoint: () => undefined,
      },
      command,
    ).catch(async (error: unknown) => {
      throw await explainFailure(error, world.signal.aborted);
    });
  },
).then((exitCode) => {
  process.exitCode = exitCode;
});
