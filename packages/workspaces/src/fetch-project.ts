import { fetchBlobsOf, type Repository } from "@skein/git";
import { Failure } from "@skein/reporting";

/** The files that every run reads from a project. Git fetches other files when they are read. */
const OF_PROJECT =
  /(?:^|\/)(?:package\.json|yarn\.lock|\.yarnrc\.yml|skein\.json|CODEOWNERS)$/;

/**
 * Fetches, in one request, the files of a commit that the project is read from. It does nothing in a complete clone.
 * @throws {Failure} if the remote does not send them
 */
export async function fetchProjectFiles(
  { git }: Pick<Repository, "git">,
  commit: string,
): Promise<void> {
  const message = await fetchBlobsOf(git, commit, (path) =>
    OF_PROJECT.test(path),
  );
  if (message !== undefined) throw missingFiles(message);
}

/**
 * Returns the error for files that a partial clone lacks and its remote does not send.
 * @param message git's message
 */
export function missingFiles(message: string): Failure {
  return new Failure(
    `this partial clone lacks necessary files, and its remote does not provide them: ${message}`,
    {
      hint: "let git reach the remote (in a workflow, give the step GITHUB_TOKEN), or clone without --filter",
    },
  );
}

/**
 * Returns whether a file may influence what a change affects, so that both of its versions are needed.
 * @param path from the top
 */
export function isOfProject(path: string): boolean {
  return OF_PROJECT.test(path);
}
