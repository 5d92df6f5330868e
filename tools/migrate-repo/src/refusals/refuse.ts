import type { MigrateWorld } from "../world.js";
import { exitCodeOf, type Refusal } from "./index.js";
import { refusalEvents, renderRefusals } from "./render-refusals.js";

/** Reports why a command can't start. @returns the exit code */
export function refuse(
  { progress, stderr, print }: MigrateWorld,
  refusals: readonly Refusal[],
): number {
  progress.end();
  print("", ...refusalEvents(refusals));
  stderr.write(renderRefusals(refusals));
  return exitCodeOf(refusals);
}
