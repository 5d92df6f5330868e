import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const names = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/**
 * The program file of a Chromium on this machine: CHROMIUM_PATH where it is set, else the first of `chromium`,
 * `chromium-browser`, `google-chrome`, `chrome` on PATH.
 * @throws where there is none and CI is set: in CI a browser test that does not run has failed. Elsewhere the answer is
 * undefined, and it is said loudly that the browser tests did not run.
 */
export function findChromium(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const candidates =
    env["CHROMIUM_PATH"] !== undefined
      ? [env["CHROMIUM_PATH"]]
      : (env["PATH"] ?? "")
          .split(delimiter)
          .flatMap((dir) => names.map((name) => join(dir, name)));
  const found = candidates.find(isExecutable);
  if (found !== undefined) return found;
  const sentence =
    "No Chromium was found (CHROMIUM_PATH, or chromium on PATH): the browser tests cannot run. On Debian: apt-get install chromium";
  if (isSet(env["CI"])) throw new Error(sentence);
  console.warn(`\n!!! ${sentence}\n`);
  return undefined;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "0", "false"].includes(value);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
