import { GitError } from "@skein/git";
import { count, Failure, some } from "@skein/reporting";
import { gitWords } from "../words/world-failure.js";

/**
 * Returns the failure of a landing that was rolled back.
 * @returns any other error unchanged
 */
export function rolledBackFailure(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  return new Failure(error.message, {
    hint:
      error.hint === undefined
        ? "the workspace is as it was; start again"
        : `${error.hint}, and start again; the workspace is as it was`,
    cause: error,
  });
}

/** Returns the failure of a landing that could not be rolled back. */
export function stuck(error: unknown, back: unknown): Failure {
  return new Failure(
    `${wordsOf(error)}; and it could not be rolled back: ${wordsOf(back)}`,
    {
      hint: "fix that, then roll back: migrate-repo abort",
      cause: error,
    },
  );
}

/** Returns the failure of `continue`, with a hint about how to continue. */
export function notContinued(error: unknown): unknown {
  if (!(error instanceof Failure || error instanceof GitError)) return error;
  const hint = error instanceof Failure ? error.hint : undefined;
  return new Failure(wordsOf(error), {
    hint:
      hint === undefined
        ? "roll back: migrate-repo abort"
        : `${hint}, then: migrate-repo continue; or roll back: migrate-repo abort`,
    cause: error,
  });
}

/** Returns the failure of `abort`, with a hint about how to continue. */
export function notAborted(error: unknown): unknown {
  if (!(error instanceof GitError)) return error;
  return new Failure(wordsOf(error), {
    hint: "fix that, then: migrate-repo abort; or finish: migrate-repo continue",
    cause: error,
  });
}

/** Returns a sentence about files that stay although the rest was rolled back; "" if there are none. */
export function leftFilesWords(left: readonly string[]): string {
  if (left.length === 0) return "";
  return `${count(left.length, "file")} that you have changed, staged or committed since ${left.length === 1 ? "stays" : "stay"}: ${some(left)}\n`;
}

function wordsOf(error: unknown): string {
  if (error instanceof GitError) return gitWords(error);
  return error instanceof Error ? error.message : String(error);
}
