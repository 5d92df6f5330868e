import { randomUUID } from "node:crypto";
import { runCli, worldOf } from "@skein/reporting";
import { affected } from "./run.js";
import type { AffectedWorld } from "./world.js";

/** Settles when the program has finished its work and set the exit code. */
export const finished = runCli<AffectedWorld>(
  "affected",
  { ...worldOf(process, Date.now), node: process, token: () => randomUUID() },
  affected,
).then((exitCode) => {
  process.exitCode = exitCode;
});
