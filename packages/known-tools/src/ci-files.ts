/** Settings of CI engines. An engine looks for them at the top of a repository. */
const FILES =
  /^(?:(?:\.gitlab-ci|\.travis|\.drone|\.?appveyor|azure-pipelines[^/]*|bitbucket-pipelines|\.cirrus|\.woodpecker)\.ya?ml|Jenkinsfile)$/;
/** Folders whose files all belong to a CI engine. */
const FOLDERS =
  /^\.(?:github\/(?:workflows|actions)|circleci|buildkite|semaphore|woodpecker)\/./;
/** Settings in folders that contain other files, too. */
const IN_FOLDERS = /^\.(?:gitlab|azure(?:-pipelines|-devops)?)\/.+\.ya?ml$/;

/** Returns whether a file belongs to a CI engine, by its path from the top of a repository. */
export function belongsToCi(path: string): boolean {
  return FILES.test(path) || FOLDERS.test(path) || IN_FOLDERS.test(path);
}

/**
 * Returns whether a file of the root, by its path, contains the settings of a CI engine. Only the engine runs their commands:
 * a program that may read such a file among others doesn't.
 */
export function isOfCi(path: string): boolean {
  return belongsToCi(path) && (FILES.test(path) || /\.ya?ml$/.test(path));
}
