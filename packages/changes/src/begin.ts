import { statSync } from "node:fs";
import { join } from "node:path";
import {
  openDiffs,
  openGit,
  ORIGIN_HEAD,
  openAnswers,
  openRepository,
  readStatus,
} from "@skein/git";
import type {
  DiffReader,
  KeptAnswers,
  OpenGitOptions,
  Repository,
  Status,
} from "@skein/git";

/** The likely question, before the command line is parsed and the repository known. */
export interface Guess {
  /** The base; undefined for the default branch. */
  readonly base: string | undefined;
  readonly workingTree: boolean;
}

/** Where to ask, and where what git found may be kept: @see StatusPlace */
export interface BeginOptions extends OpenGitOptions {
  readonly keepIn?: string | undefined;
}

/** Questions that git is working on while the rest of the program is still being loaded. */
export interface Begun {
  readonly opening: Promise<Repository>;
  readonly diffs: DiffReader;
  readonly status: Promise<Status> | undefined;
  /** To be called always: the program would wait for git else. */
  close(): void;
}

/** Files of a project that are read in every run. A `.yarnrc.yml` is the one that may not be there. */
const FILES = ["package.json", "yarn.lock", ".yarnrc.yml"];

/**
 * Opens the repository of a project, with the one question that nearly all runs ask. @see openRepository
 */
export function openProjectRepository(
  options: OpenGitOptions,
  base: string | undefined,
  answers?: KeptAnswers,
): Promise<Repository> {
  return openRepository({
    ...options,
    answers,
    meeting: base ?? ORIGIN_HEAD,
    files: FILES,
  });
}

/**
 * Starts what can be asked of git before anything else is known. All of it is either what a later question needs, or
 * not looked at.
 * @param options the project's folder
 * @returns undefined where the folder is not the top of a plain clone: there, one answer decides the next question
 */
export function begin(
  options: BeginOptions,
  { base, workingTree }: Guess,
): Begun | undefined {
  const { cwd, env, keepIn } = options;
  const gitDir = join(cwd, ".git");
  if (env["GIT_DIR"] || env["GIT_WORK_TREE"] || !isFolder(gitDir))
    return undefined;
  const git = openGit(options);
  // The longest first.
  const status = workingTree
    ? readStatus(git, { gitDir, commonDir: gitDir, keepIn })
    : undefined;
  // Git resolves any other base.
  const answers =
    keepIn === undefined || base !== undefined
      ? undefined
      : openAnswers({ root: cwd, env, keepIn, ref: ORIGIN_HEAD });
  const opening = openProjectRepository(options, base, answers);
  const diffs = openDiffs(git, gitDir, answers);
  // The code that awaits them reports their failures; until then they are ignored.
  for (const answer of [opening, status]) answer?.catch(() => undefined);
  return { opening, diffs, status, close: () => diffs.close() };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
