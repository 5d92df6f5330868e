import { randomUUID } from "node:crypto";
import { runCli } from "@skein/reporting";
import { affected } from "./run.js";
import type { AffectedWorld } from "./world.js";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => stop.abort(signal));

/** Settles when the program has done its work and set the exit code. */
export const finished = runCli<AffectedWorld>(
  "affected",
  {
    node: process,
    token: randomUUID(),
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    // Opening it takes 3 ms, and hardly anybody reads it.
    stdin: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
    },
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    signal: stop.signal,
  },
  affected,
).then((exitCode) => {
  process.exitCode = exitCode;
});
