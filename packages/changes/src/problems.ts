import type { RepositoryError, RepositoryProblem } from "@skein/git";
import { Failure, usageFailure } from "@skein/reporting";

/**
 * Returns a failure with the message for a problem with a repository or a request to it.
 * @returns a failure with exit code 2 if the user's input was wrong, else 3
 */
export function repositoryFailure(error: RepositoryError): Failure {
  return describe(error.problem, error);
}

function describe(problem: RepositoryProblem, cause: Error): Failure {
  switch (problem.kind) {
    case "git-not-installed":
      return new Failure("git was not found", {
        hint: "install git, or put it on the PATH",
        cause,
      });
    case "no-such-folder":
      return usageFailure(`there is no folder ${problem.cwd}`, { cause });
    case "not-a-repository":
      return new Failure(
        problem.message.includes("(or any ")
          ? `${problem.cwd} is not in a git repository`
          : `git cannot read the repository of ${problem.cwd}: ${problem.message}`,
        {
          hint: "run it in one, or pass the changed files with --files-from",
          cause,
        },
      );
    case "dubious-ownership":
      return new Failure(
        `git refuses the repository of ${problem.cwd}, which belongs to another user`,
        { hint: ownWayOut(problem.message), cause },
      );
    case "unknown-ref":
      return unknownRef(problem, cause);
    case "no-default-branch":
      return new Failure(
        `there is no default branch to compare with; tried ${problem.tried.join(", ")}`,
        {
          hint: "set it with --base REF or in the settings, or record it in the clone: git remote set-head origin --auto",
          cause,
        },
      );
    case "no-merge-base":
      return noMergeBase(problem, cause);
  }
}

type Of<Kind extends RepositoryProblem["kind"]> = Extract<
  RepositoryProblem,
  { kind: Kind }
>;

function unknownRef(
  { ref, suggestions, command, message }: Of<"unknown-ref">,
  cause: Error,
): Failure {
  const tried = message === undefined ? "" : `; fetching it failed: ${message}`;
  const [first, ...others] = suggestions;
  const ways = [
    first && `did you mean ${[first, ...others].join(" or ")}?`,
    command && `fetch it with: ${command}`,
  ].filter((way) => way !== undefined);
  return usageFailure(
    `no commit is called ${JSON.stringify(ref)} here${tried}`,
    { ...(ways.length > 0 && { hint: ways.join(" ") }), cause },
  );
}

function noMergeBase(
  { base, head, why, command, message }: Of<"no-merge-base">,
  cause: Error,
): Failure {
  if (why === "unrelated") {
    return new Failure(`${base} and ${head} have no history in common`, {
      hint: "compare with the commit itself: --since REF; or select everything: --fallback all",
      cause,
    });
  }
  const tried = message === undefined ? "" : `; fetching it failed: ${message}`;
  return new Failure(
    `the clone is shallow: its history is too short to determine the merge base of ${base} and ${head}${tried}`,
    {
      ...(command !== undefined && { hint: `fetch it with: ${command}` }),
      cause,
    },
  );
}

/** Returns the command in git's message, if it contains one. */
function ownWayOut(message: string): string {
  return /git config .*/.exec(message)?.[0] ?? message;
}
