import { GitError, RepositoryError } from "@skein/git";
import { Failure, usageFailure } from "@skein/reporting";
import {
  DuplicateWorkspaceError,
  LockfileError,
  ManifestError,
  SettingsError,
} from "@skein/workspaces";

/** Runs a body and puts words to the errors of the packages below. What is not among them is a bug, and stays as it is. */
export async function speaking<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw wordsFor(error) ?? error;
  }
}

function wordsFor(error: unknown): Failure | undefined {
  if (error instanceof SettingsError)
    return usageFailure(error.message, {
      place: { file: "skein.json", line: error.line },
      ...(error.known.length > 0 && {
        hint: `known there: ${error.known.join(", ")}`,
      }),
    });
  if (error instanceof ManifestError)
    return new Failure(`package.json cannot be read: ${error.detail}`, {
      place: { file: error.file, line: error.line },
      hint: "mend it; no job can be planned or run before",
    });
  if (error instanceof LockfileError)
    return new Failure(`yarn.lock cannot be read (${error.kind})`, {
      place: { file: "yarn.lock", line: error.line },
      hint: "run `yarn install`, which mends it",
    });
  if (error instanceof DuplicateWorkspaceError)
    return new Failure(
      `two workspaces are called ${error.workspace}: ${error.dirs.join(" and ")}`,
      { hint: "give one of them another name" },
    );
  if (error instanceof RepositoryError)
    return new Failure(`the repository cannot be read: ${error.problem.kind}`, {
      hint: "run it inside a clone of the repository",
    });
  if (error instanceof GitError)
    return new Failure(
      `git ${error.args[0] ?? ""} failed: ${error.stderr.trim()}`,
      { cause: error },
    );
  return undefined;
}
