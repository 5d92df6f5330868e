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
      // The first has no windows, so the tests need a third of the CPU time.
      names: [
        "chromium-headless-shell",
        ...["chromium", "chromium-browser", "google-chrome", "chrome"],
      ],
      variable: "CHROMIUM_PATH",
      package: "chromium-headless-shell",
      tests: "the browser tests",
    },
    env,
  );
}
