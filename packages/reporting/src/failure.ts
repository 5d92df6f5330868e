import { ExitCode } from "./exit-codes.js";

/** A place in a file, for messages. */
export interface Place {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

export interface FailureOptions {
  readonly exitCode?: typeof ExitCode.Usage | typeof ExitCode.Unfinished;
  /** The user's next step, on a separate line. */
  readonly hint?: string;
  readonly place?: Place;
  readonly cause?: unknown;
}

/**
 * An error for an environment or input that Skein cannot work with: one clear sentence, its place, and a hint. It is
 * shown without a stack. Every other exception is a bug and is shown with one.
 */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly exitCode: typeof ExitCode.Usage | typeof ExitCode.Unfinished;
  readonly hint: string | undefined;
  readonly place: Place | undefined;

  constructor(
    sentence: string,
    { exitCode = ExitCode.Unfinished, hint, place, cause }: FailureOptions = {},
  ) {
    super(sentence, { cause });
    this.exitCode = exitCode;
    this.hint = hint;
    this.place = place;
  }
}

/** Returns a failure for wrong usage: exit code 2. */
export function usageFailure(
  sentence: string,
  options: Omit<FailureOptions, "exitCode"> = {},
): Failure {
  return new Failure(sentence, { ...options, exitCode: ExitCode.Usage });
}

/** The words for errors of the file system (errno(3)). */
const SYSTEM_WORDS: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file or folder"],
  ["ENOTDIR", "a part of its path is a file"],
  ["EISDIR", "it is a folder"],
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["ENOSPC", "the disk is full"],
]);

/** Returns why a file can't be read or written, without the path, which Node repeats; for any other error, its message. */
export function systemWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return SYSTEM_WORDS.get(code) ?? message;
}

/** Handles the error of a path: returns undefined if nothing exists there, and throws any other error. */
export function ifMissing(error: unknown): undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw error;
}
