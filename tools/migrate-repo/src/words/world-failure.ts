import { GitError, RepositoryError } from "@skein/git";
import { Failure, printable } from "@skein/reporting";

/** The words for errors of the system about missing write access (errno(3)). */
const NO_ACCESS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "read-only file system"],
]);

const AGAIN =
  ", and start again; if migrate-repo reports a migration in progress: migrate-repo abort";

/** Returns an error of git in words: the command, and the last line of its message. */
export function gitWords({ args, stderr }: GitError): string {
  const command = args.find((arg) => !arg.startsWith("-")) ?? "";
  return `git ${command} failed: ${printable(stderr.trim().split("\n").at(-1) ?? "")}`;
}

/**
 * Returns a failure that explains an error of git or of the system, with a hint. Any other error is a bug and is
 * returned unchanged. The failures may say that the workspace is as it was: before the landing it hasn't changed, and a
 * landing that fails is rolled back.
 * @param interrupted whether someone pressed Ctrl-C: git then ends, too, and its message has no new information
 */
export async function explainFailure(
  error: unknown,
  interrupted: boolean,
): Promise<unknown> {
  if (error instanceof Failure) return error;
  if (error instanceof RepositoryError) {
    const { repositoryFailure } = await import("@skein/changes");
    const failure = repositoryFailure(error);
    return error.problem.kind === "not-a-repository"
      ? new Failure(failure.message, {
          hint: "run it in the workspace that will receive the repository",
          cause: error,
        })
      : failure;
  }
  if (interrupted)
    return new Failure("interrupted; the workspace is as it was", {
      hint: "if migrate-repo reports a migration in progress: migrate-repo abort",
    });
  if (error instanceof GitError)
    return new Failure(gitWords(error), {
      hint: "the workspace is as it was; if migrate-repo reports a migration in progress: migrate-repo abort",
      cause: error,
    });
  const { ManifestError, LockfileError } = await import("@skein/workspaces");
  if (error instanceof ManifestError || error instanceof LockfileError)
    return new Failure(
      `cannot read the workspace: ${printable(error.message)}`,
      { hint: "fix that file first, and commit it", cause: error },
    );
  const { code, path } = error as NodeJS.ErrnoException;
  const why = NO_ACCESS.get(code ?? "");
  if (why !== undefined)
    return new Failure(
      path === undefined
        ? (error as Error).message
        : `${why}: ${printable(path)}`,
      { hint: `give write access to it${AGAIN}`, cause: error },
    );
  if (code === "ENOSPC" || code === "EDQUOT")
    return new Failure((error as Error).message, {
      hint: `free some disk space${AGAIN}`,
      cause: error,
    });
  return error;
}
