/**
 * The four exit codes of every Skein tool. As in actionlint, a script can distinguish "the answer is bad" from "there
 * is no answer".
 */
export const ExitCode = {
  /** Ran, and the answer is good. */
  Ok: 0,
  /** Ran, and the answer is bad: a script failed, a check found something. */
  Bad: 1,
  /** Wrong usage: an option, an argument, a settings file. */
  Usage: 2,
  /** Could not finish: git, GitHub, the disk, or a repository that cannot be read. */
  Unfinished: 3,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
