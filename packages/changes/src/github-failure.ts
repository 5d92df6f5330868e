import { explainGitHubError } from "@skein/github";
import type { GitHubError } from "@skein/github";
import { Failure } from "@skein/reporting";

/** Returns the words for what went wrong with GitHub. @returns a failure to throw; exit code 3 */
export function githubFailure(error: GitHubError): Failure {
  const { sentence, hint } = explainGitHubError(error);
  return new Failure(sentence, { hint, cause: error });
}
