import { GitError, RepositoryError } from "@skein/git";
import type { RepositoryProblem } from "@skein/git";
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
  if (error instanceof RepositoryError) return repository(error.problem);
  if (error instanceof ManifestError) {
    return new Failure(`package.json cannot be read: ${error.detail}`, {
      place: { file: error.file, line: error.line },
      hint: "mend it, or select everything with --fallback all",
    });
  }
  if (error instanceof LockfileError) {
    return new Failure(LOCKFILE[error.kind], {
      place: { file: "yarn.lock", line: error.line },
      hint: "run `yarn install`, which mends it",
    });
  }
  if (error instanceof DuplicateWorkspaceError) {
    return new Failure(
      `two workspaces are called ${error.workspace}: ${error.dirs.join(" and ")}`,
      { hint: "give one of them another name" },
    );
  }
  if (error instanceof SettingsError) return settings(error);
  if (error instanceof GitError) {
    return new Failure(
      `git ${error.args[0] ?? ""} failed: ${error.stderr.trim()}`,
      { cause: error },
    );
  }
  return undefined;
}

const LOCKFILE: Readonly<Record<LockfileError["kind"], string>> = {
  "yarn-1":
    "this is a lockfile of Yarn 1; Skein reads those of Yarn 2 and later",
  conflict: "yarn.lock has merge conflicts",
  syntax: "yarn.lock is not as Yarn writes it",
};

function settings({ message, line, field, known }: SettingsError): Failure {
  return usageFailure(message, {
    place: { file: "skein.json", line },
    ...(known.length > 0 && {
      hint: `${field.includes(".") ? "there" : "at the top"} can stand: ${known.join(", ")}`,
    }),
  });
}

function repository(problem: RepositoryProblem): Failure {
  switch (problem.kind) {
    case "git-not-installed":
      return new Failure("git is not installed, or not on the PATH");
    case "no-such-folder":
      return usageFailure(`there is no folder ${problem.cwd}`);
    case "not-a-repository":
      return usageFailure(`${problem.cwd} is in no git repository`, {
        hint: "run it inside a clone, or give the changed files with --files-from",
      });
    case "dubious-ownership":
      return new Failure(`git refuses the repository: ${problem.said}`);
    case "unknown-ref":
      return usageFailure(`there is no commit called ${problem.ref}`, {
        hint: problem.suggestions.length
          ? `did you mean ${problem.suggestions.join(" or ")}?`
          : problem.command
            ? `fetch it: ${problem.command}`
            : "git branch --all lists what is there",
      });
    case "no-default-branch":
      return new Failure(
        `no default branch to compare with was found (tried ${problem.tried.join(", ")})`,
        { hint: "name one: --base <ref>, or `defaultBranch` in skein.json" },
      );
    case "no-merge-base":
      return new Failure(
        problem.why === "shallow"
          ? `the clone is shallow, and its history ends before ${problem.base} and ${problem.head} meet`
          : `${problem.base} and ${problem.head} have no history in common`,
        {
          hint: `${problem.command ? `fetch it: ${problem.command}; ` : ""}or compare with a commit itself (--since <ref>), or select everything (--fallback all)`,
        },
      );
  }
}
