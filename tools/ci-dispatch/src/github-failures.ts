import { explainGitHubError, GitHubError } from "@skein/github";
import { Failure } from "@skein/reporting";

/**
 * Calls a function that sends requests to GitHub.
 * @param then the end of the hint: what was kept, and how to continue
 * @throws {Failure} for GitHub's errors
 */
export async function withGitHubFailures<T>(
  body: () => Promise<T>,
  then = "",
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { sentence, hint } = explainGitHubError(error);
    throw new Failure(sentence, { hint: `${hint}${then}`, cause: error });
  }
}
