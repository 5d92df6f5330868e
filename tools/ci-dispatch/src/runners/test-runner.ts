import type { Choice } from "./choose-tests.js";
import type { OurModule } from "./our-module.js";

/** The programs whose test files can be listed, and run in parts. */
export const RUNNER_NAMES = ["jest", "vitest", "playwright"] as const;
export type RunnerName = (typeof RUNNER_NAMES)[number];

/** The texts of a unit in which settings may be: its script, and its settings files. */
export interface SettingsTexts {
  readonly command: string;
  readonly files: readonly string[];
}

/** The resolved settings of a program that matter for running a part of its test files. */
export interface RunSettings {
  /** Names of the settings that judge a run as a whole; empty if each test file is judged by itself. */
  readonly judging: readonly string[];
  /** The exit code of a run whose tests failed. */
  readonly failureExitCode: number;
  /** The test files, absolute; absent if the program itself chooses among those that it finds. */
  readonly files?: readonly string[];
  /** Arguments that a run of a part needs; absent for none. */
  readonly partArgs?: readonly string[];
  /** The reporters that a run keeps in addition to ours; absent if ours replaces none. */
  readonly reporters?: readonly string[];
}

/** A run of a script: what is added to its arguments and its environment, and the file of its answer. */
export interface PreparedRun {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file that the program writes its report to, in the format of Jest's JSON; undefined for none. */
  readonly report: string | undefined;
  /** The module to write before the run; absent for none. */
  readonly module?: OurModule;
}

/** A script that shows its program's settings and runs no test. */
export interface PreparedProbe {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The file with the settings; undefined if the program prints them. */
  readonly answer: string | undefined;
  /** The module to write before the run; absent for none. */
  readonly module?: OurModule;
}

/**
 * A program that runs test files: everything that planning, running and judging a part of its files needs to know. A
 * further program is one more descriptor in `find-runner.ts`.
 */
export interface TestRunner {
  readonly name: RunnerName;
  /** The program's name for people. */
  readonly title: string;
  /** Matches the word of a script that calls it. */
  readonly program: RegExp;
  /** Returns whether a script with these arguments accepts further ones, and selects its files only by its settings. */
  readonly accepts: (args: readonly string[]) => boolean;
  /**
   * The files in the package's folder that may hold its settings, in groups: the first file of each group counts.
   * Names without an extension have any of a script or JSON.
   */
  readonly settingsFiles: readonly string[];
  /** The member of package.json that contains settings; undefined if there is none. */
  readonly manifestMember?: string;
  /** Finds settings that judge a whole run in texts, without starting a program. */
  readonly findJudges: (texts: SettingsTexts) => readonly string[];
  /** Whether each run must know the settings first, because our reporter would replace theirs. */
  readonly asksFirst: boolean;
  /** @param folder a new, empty folder */
  readonly prepareProbe: (folder: string) => PreparedProbe;
  /**
   * Parses the answer to a probe.
   * @returns undefined if it contains no settings
   */
  readonly parseSettings: (text: string) => RunSettings | undefined;
  /**
   * Prepares one run.
   * @param folder a new, empty folder
   * @param choice the test files to run; undefined for all
   * @param settings undefined if they are unknown
   */
  readonly prepareRun: (
    folder: string,
    choice: Choice | undefined,
    settings: RunSettings | undefined,
  ) => PreparedRun;
}
