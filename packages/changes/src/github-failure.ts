import { explainGitHubError, type GitHubError } from "@skein/github";
import { Failure } from "@skein/reporting";

/** Returns a failure with the message for an error from GitHub. Its exit code is 3. */
export function githubFailure(error: GitHubError): Failure {
  const { sentence, hint } = explainGitHubError(error);
  return new Failure(sentence, { hint, cause: error });
}
