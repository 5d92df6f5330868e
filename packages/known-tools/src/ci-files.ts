const CI_FILES =
  /^(?:\.github\/(?:workflows|actions)\/.+|\.circleci\/.+|\.buildkite\/.+|\.gitlab\/.+|\.gitlab-ci|\.travis|\.drone|\.?appveyor|azure-pipelines[^/]*|\.azure(?:-pipelines|-devops)?\/.+|bitbucket-pipelines)\.ya?ml$/;

/**
 * Returns whether a file of the root, by its path, contains the settings of a CI engine. Only the engine runs their commands:
 * a program that may read such a file among others doesn't.
 */
export function isOfCi(path: string): boolean {
  return CI_FILES.test(path);
}
