import type { Command } from "./measure/measure.js";

/** An environment whose values may begin with `$PWD`, with the folder in its place. */
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
