import { statSync } from "node:fs";
import { join } from "node:path";
import {
  openDiffs,
  openGit,
  ORIGIN_HEAD,
  openAnswers,
  openRepository,
  readStatus,
  type DiffReader,
  type KeptAnswers,
  type OpenGitOptions,
  type Repository,
  type Status,
} from "@skein/git";

/**
 * The range that the command will probably need, guessed before the command line is parsed and the repository is open.
 */
export interface Guess {
  /** The base; undefined for the default branch. */
  readonly base: string | undefined;
  readonly workingTree: boolean;
  /** Whether commits are compared. */
  readonly compares: boolean;
}

/** The project's folder, and the folder for git's cached answers (see StatusPlace). */
export interface BeginOptions extends OpenGitOptions {
  readonly keepIn?: string | undefined;
}

/** Questions that git answers while the rest of the program is still loading. */
export interface EarlyAnswers {
  readonly opening: Promise<Repository>;
  readonly diffs: DiffReader;
  readonly status: Promise<Status> | undefined;
  /** Ends the processes. Callers must always call it, or the program would wait for git. */
  close(): void;
}

/** Files of a project that every run reads. The only one that may not exist, `.yarnrc.yml`, comes last. */
const FILES = ["package.json", "yarn.lock", ".yarnrc.yml"];

/** Opens the repository of a project, and asks the questions that nearly all runs need with it. @see openRepository */
export function openProjectRepository(
  options: OpenGitOptions,
  base: string | undefined,
  answers?: KeptAnswers,
): Promise<Repository> {
  return openRepository({
    ...options,
    answers,
    mergeBase: base ?? ORIGIN_HEAD,
    files: FILES,
  });
}

/**
 * Starts the git processes whose answers don't depend on others. An answer is either needed later, or ignored.
 * @param options the project's folder
 * @returns undefined if the folder isn't the top of a plain clone; there, each question depends on the answer before it
 */
export function begin(
  options: BeginOptions,
  { base, workingTree, compares }: Guess,
): EarlyAnswers | undefined {
  const { cwd, env, keepIn } = options;
  const gitDir = join(cwd, ".git");
  if (env["GIT_DIR"] || env["GIT_WORK_TREE"] || !isFolder(gitDir))
    return undefined;
  const git = openGit(options);
  // The slowest process starts first.
  const status = workingTree
    ? readStatus(git, { gitDir, commonDir: gitDir, keepIn })
    : undefined;
  // The cache is only for the default base, because git must resolve any other.
  const answers =
    keepIn === undefined || base !== undefined
      ? undefined
      : openAnswers({ root: cwd, env, keepIn, ref: ORIGIN_HEAD });
  const opening = openProjectRepository(options, base, answers);
  // The code that awaits them reports their failures; until then they are ignored, even if the next line throws.
  for (const answer of [opening, status]) answer?.catch(() => undefined);
  const diffs = openDiffs(git, gitDir, { answers, isLikely: compares });
  return { opening, diffs, status, close: () => diffs.close() };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
