import { randomUUID } from "node:crypto";
import { runCli, worldOf } from "@skein/reporting";
import { dispatch } from "./run.js";
import type { DispatchWorld } from "./world.js";

/** Settles when the program has done its work and set the exit code. */
export const finished = runCli<DispatchWorld>(
  "ci-dispatch",
  {
    ...worldOf(process, Date.now),
    node: process,
    pid: process.pid,
    random: Math.random,
    unguessable: randomUUID,
  },
  dispatch,
).then((exitCode) => {
  process.exitCode = exitCode;
});
