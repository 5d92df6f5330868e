import type { Files } from "@skein/testing";
import type { Command } from "../measure/measure.js";
import type { Member, Site } from "../site.js";

/** A tool that can tell the affected packages, or something to compare it with. */
export interface Tool {
  /** As in `--tools`. */
  readonly name: string;
  /** What to install from the npm registry, at an exact version. */
  readonly install: readonly string[];
  /** What to run once it is installed, in the folder that holds its `node_modules`. */
  readonly setUp?: Omit<Command, "cwd">;
  /** Names in `node_modules` to link into the workspace. */
  readonly links: readonly string[];
  /** Its programs are not linked: they are run by their files, and go by names of other tools. */
  readonly hidesBins?: true;
  /** Settings it needs, committed in the base, so that every tool sees the same files. */
  readonly settings: (members: readonly Member[]) => Files;
  readonly questions: readonly Question[];
  /** Runs the script `test` of every affected package; undefined where it is not compared. */
  readonly run?: RunQuestion;
  /** Ends what it leaves running. */
  readonly stop?: readonly Arguments[];
}

/** A program from the workspace's root, and its arguments. */
export type Arguments = readonly string[];

/** "Which packages are affected by what is on this branch and not on main?", in a tool's own words. */
export interface Question {
  readonly label: string;
  readonly argv: Arguments | ((site: Site) => Arguments);
  /** `$PWD` in a value is the workspace's root. */
  readonly env?: Command["env"];
  /** What must be done before each run, and is not measured. */
  readonly prepare?: (site: Site) => Promise<void>;
  /** The names in the answer, in any order; undefined where it answers nothing. */
  readonly answer: (
    stdout: string,
    site: Site,
  ) => readonly string[] | undefined;
}

export interface RunQuestion {
  readonly label: string;
  readonly argv: (site: Site) => Arguments;
  readonly env?: Command["env"];
  /** How many scripts it says to have run; NaN where it does not say so. */
  readonly ran: (output: string) => number;
}

/** A number that a text holds in the first group of a pattern; NaN where it does not. */
export function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? NaN);
}

/** The non-empty lines of a text. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/** Names of the packages in these folders. A folder of no package stays as it is, so that the difference shows. */
export function namesOf(dirs: readonly string[], { members }: Site): string[] {
  const names = new Map(members.map(({ dir, name }) => [dir, name]));
  return dirs.map((dir) => names.get(dir) ?? dir);
}
