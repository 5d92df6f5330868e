import { JEST } from "./jest.js";
import { PLAYWRIGHT } from "./playwright.js";
import type { RunnerName, TestRunner } from "./test-runner.js";
import { VITEST } from "./vitest.js";

/** The programs whose test files can be run in parts. */
const RUNNERS: Readonly<Record<RunnerName, TestRunner>> = {
  jest: JEST,
  vitest: VITEST,
  playwright: PLAYWRIGHT,
};

/** Words before a program that start it and change nothing of its arguments. */
const LAUNCHER =
  /^(?:\w+=\S*|cross-env|npx|yarn|node|run|exec|--no-install|--[\w-]+(?:=\S*)?)$/;

/**
 * Returns the program that a script's last command runs, if arguments appended to the script reach it, and if the
 * script chooses no files, shards or reports itself; undefined otherwise. Pure.
 */
export function runnerOf(command: string): TestRunner | undefined {
  const last = command.split(/&&|\|\||[;|&\n]/).at(-1) ?? "";
  const words = last.trim().split(/\s+/);
  return Object.values(RUNNERS).find(({ program, accepts }) => {
    const at = words.findIndex((word) => program.test(word));
    return (
      at >= 0 &&
      words.slice(0, at).every((word) => LAUNCHER.test(word)) &&
      accepts(words.slice(at + 1))
    );
  });
}

/** Returns the program of a name; undefined for `other`. */
export function runnerNamed(name: string): TestRunner | undefined {
  return Object.values(RUNNERS).find((each) => each.name === name);
}
