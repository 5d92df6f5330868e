import type { CliWorld } from "@skein/reporting";

/** Milliseconds without a look at signals. People notice longer ones, and a look takes far less. */
const BUSY_MS = 50;

/**
 * Finishes a long computation. Between its steps, Ctrl-C and SIGTERM can end it.
 * @throws the reason of the signal, if it was aborted
 */
export async function inSteps<Result>(
  steps: Iterator<void, Result>,
  { now, signal }: Pick<CliWorld, "now" | "signal">,
): Promise<Result> {
  let start = now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return step.value;
    if (now() - start < BUSY_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    start = now();
  }
}
