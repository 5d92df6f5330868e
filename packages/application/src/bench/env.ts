import type { Command } from "./measure/measure.js";

/** Returns an environment in which the folder replaces `$PWD` at the start of values. */
export function inFolder(
  env: Command["env"],
  dir: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env ?? {}).map(([name, value]) => [
      name,
      value.replace(/^\$PWD/, () => dir),
    ]),
  );
}
