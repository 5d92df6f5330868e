import { ExitCode } from "./exit-codes.js";

/** A place in a file, to point at. */
export interface Place {
  readonly file: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
}

export interface FailureOptions {
  readonly exitCode?: typeof ExitCode.Usage | typeof ExitCode.Unfinished;
  /** The user's next step, on a line of its own. */
  readonly hint?: string;
  readonly place?: Place;
  readonly cause?: unknown;
}

/**
 * The world or the input is not as it must be: one clear sentence, where, and the way out. It shows no stack;
 * every other exception is a bug and does.
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

/** Bad usage: exit code 2. */
export function usageFailure(
  sentence: string,
  options: Omit<FailureOptions, "exitCode"> = {},
): Failure {
  return new Failure(sentence, { ...options, exitCode: ExitCode.Usage });
}
