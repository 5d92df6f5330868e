import { randomUUID } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runCli, worldOf } from "@skein/reporting";
import { dispatch } from "./run.js";
import type { DispatchWorld } from "./world.js";

/** Settles after the program has finished and set the exit code. */
export const finished = runCli<DispatchWorld>(
  "ci-dispatch",
  {
    ...worldOf(process, Date.now),
    node: process,
    pid: process.pid,
    random: Math.random,
    unguessable: randomUUID,
    // By default, V8 lets the heap grow to four times what lives there.
    collectEarly: () => {
      setFlagsFromString("--heap-growing-percent=30");
    },
  },
  dispatch,
).then((exitCode) => {
  process.exitCode = exitCode;
});
