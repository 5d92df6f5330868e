import "./small-nursery.js";
import process from "node:process";
import { runCli } from "@skein/reporting";
import { parseArguments } from "./cli.js";
import { progressFor } from "./live-progress.js";
import { run } from "./run.js";
import { explainFailure } from "./world-failure.js";

const interrupted = new AbortController();
const interrupt = () => interrupted.abort();
process.once("SIGINT", interrupt).once("SIGTERM", interrupt);

process.exitCode = await runCli(
  "migrate-repo",
  {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    signal: interrupted.signal,
  },
  async (world) => {
    const command = parseArguments(world.argv, world.stdout, world.stderr);
    if (typeof command === "number") return command;
    return run(
      {
        ...world,
        pid: process.pid,
        isAlive,
        node: process,
        progress: progressFor(world),
        checkpoint: () => undefined,
      },
      command,
    ).catch(async (error: unknown) => {
      throw await explainFailure(error, world.signal.aborted);
    });
  },
);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It runs, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
