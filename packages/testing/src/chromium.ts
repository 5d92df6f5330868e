import { findProgram } from "./find-program.js";

/**
 * Finds a Chromium on this machine, for the browser tests.
 * @returns its program file; undefined if there is none and that is allowed
 * @throws if there is none and all tests must run (`findProgram`)
 */
export function findChromium(
  env: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  return findProgram(
    {
      names: ["chromium", "chromium-browser", "google-chrome", "chrome"],
      variable: "CHROMIUM_PATH",
      package: "chromium",
      tests: "the browser tests",
    },
    env,
  );
}
