import { randomUUID } from "node:crypto";
import { runCli } from "@skein/reporting";
import { dispatch } from "./run.js";
import type { DispatchWorld } from "./world.js";

const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => stop.abort(signal));

process.exitCode = await runCli<DispatchWorld>(
  "ci-dispatch",
  {
    node: process,
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    signal: stop.signal,
    random: Math.random,
    unguessable: randomUUID,
  },
  dispatch,
);
