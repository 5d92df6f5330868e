import type { Files } from "@skein/testing";
import type { Command } from "../measure/measure.js";
import type { Member, Site } from "../site.js";

/** The label of the row that all others are compared with. */
export const REFERENCE = "Skein";

/** A tool that can list the affected packages, or something to compare it with. */
export interface Tool {
  /** The name in `--peers`. */
  readonly name: string;
  /** The packages to install from the npm registry, at exact versions. */
  readonly install: readonly string[];
  /** The command to run after the install, in the folder of its `node_modules`. */
  readonly setUp?: Omit<Command, "cwd">;
  /** Names in `node_modules` to link into the workspace. */
  readonly links: readonly string[];
  /** Whether its programs aren't linked. They are started by their files, because they have names of other tools. */
  readonly hidesBins?: true;
  /** Returns the settings that it needs. They are committed in the base, so that every tool sees the same files. */
  readonly settings: (members: readonly Member[]) => Files;
  readonly questions: readonly Question[];
  /** Runs the script `test` of every affected package; undefined if the tool isn't compared. */
  readonly run?: RunQuestion;
  /** Commands that end processes it leaves running. */
  readonly stop?: readonly Arguments[];
}

/** A program relative to the workspace's root, and its arguments. */
export type Arguments = readonly string[];

/** A tool's command for the question "Which packages do the changes on this branch since main affect?". */
export interface Question {
  readonly label: string;
  readonly argv: Arguments | ((site: Site) => Arguments);
  /** `$PWD` in a value is the workspace's root. */
  readonly env?: Command["env"];
  /** Prepares each run; this isn't measured. */
  readonly prepare?: (site: Site) => Promise<void>;
  /** Returns the names in the answer, in any order; undefined if it has none. */
  readonly answer: (
    stdout: string,
    site: Site,
  ) => readonly string[] | undefined;
}

export interface RunQuestion {
  readonly label: string;
  readonly argv: (site: Site) => Arguments;
  readonly env?: Command["env"];
  /** Returns the number of scripts that ran, according to the output; NaN if the output doesn't have it. */
  readonly ran: (output: string) => number;
}

/** Returns the number in the first group of a pattern; NaN if the text doesn't match. */
export function numberIn(pattern: RegExp, text: string): number {
  return Number(pattern.exec(text)?.[1] ?? NaN);
}

/** Returns the non-empty lines of a text. */
export function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

/**
 * Returns the names of the packages in these folders. A folder without a package stays in the result, so that the
 * difference is visible.
 */
export function namesOf(dirs: readonly string[], { members }: Site): string[] {
  const names = new Map(members.map(({ dir, name }) => [dir, name]));
  return dirs.map((dir) => names.get(dir) ?? dir);
}
