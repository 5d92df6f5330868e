import { RepositoryError, findCommit, type Repository } from "@skein/git";
import {
  unlessNotFound,
  PULL_REQUEST_FILES_CAP,
  showRepository,
} from "@skein/github";
import type {
  GitHub,
  PullRequest,
  PullRequestName,
  RemoteFile,
} from "@skein/github";
import type { Change, Changeset, Revision, Unknown } from "./changeset.js";
import { readGitChangeset } from "./git-changeset.js";
import { movedFromNowhere } from "./github-compare.js";
import { changesOfFiles } from "./github-files.js";

export interface PullRequestRequest {
  readonly github: GitHub;
  readonly pullRequest: PullRequestName;
  /** The clone, if any. It is used only if GitHub's list may be truncated, and only if it has both commits. */
  readonly clone?: Repository | undefined;
}

/** The maximum number of times that a pull request is read if it changes in the meantime. */
const READINGS = 3;

/**
 * Lists the changes of a pull request, from GitHub's list of its files: from the merge base with its base branch to its
 * head.
 *
 * The list is trusted only if it has as many files as the pull request reports, and fewer than the 3,000 at which
 * GitHub truncates. Otherwise git lists the changes, if a clone with both commits exists. Without such a clone,
 * `list-cut` makes everything affected. Numbers of lines and patches are never used.
 *
 * Someone may push while the pages are read. So the pull request is read before and after its files, and again from
 * the start until it has not changed.
 * @throws {GitHubError}
 */
export async function readPullRequestChangeset({
  github,
  pullRequest: name,
  clone,
}: PullRequestRequest): Promise<Changeset> {
  const reading = await readStill(github, name);
  const { pull, files } = reading;
  const shown = `${showRepository(name.repository)}#${name.number}`;
  const head: Revision = { name: shown, commit: pull.head.commit };
  const source = (via: "git" | "api") => ({
    kind: "pull-request" as const,
    repository: showRepository(name.repository),
    number: name.number,
    via,
  });

  const { changes, withoutOldPath } = changesOfFiles(files);
  const doubts = [
    ...doubtsAbout(reading, shown),
    ...movedFromNowhere(withoutOldPath),
  ].map((detail): Unknown => ({
    kind: "list-cut",
    listed: files.length,
    expected: pull.changedFiles,
    detail,
  }));
  if (doubts.length > 0) {
    const known = clone && (await askGit(clone, pull));
    if (known) return { ...known, head, source: source("git") };
  }
  const base = await findBase(github, name, pull);
  const noBase: Unknown = {
    kind: "no-base",
    detail: `GitHub has no merge base of ${shown} and its base branch`,
  };
  return {
    base,
    head,
    source: source("api"),
    changes: sorted(changes),
    unknown: base ? doubts : [...doubts, noBase],
  };
}

interface Reading {
  readonly pull: PullRequest;
  readonly files: readonly RemoteFile[];
  /** Whether the pull request stayed the same while its files were read. False if it changed in every attempt. */
  readonly still: boolean;
}

async function readStill(
  github: GitHub,
  name: PullRequestName,
): Promise<Reading> {
  let pull = await github.pullRequest(name);
  for (let reading = 1; ; reading++) {
    const files = await github.pullRequestFiles(name);
    const after = await github.pullRequest(name);
    const still =
      after.head.commit === pull.head.commit &&
      after.base.commit === pull.base.commit &&
      after.changedFiles === pull.changedFiles;
    pull = after;
    if (still || reading === READINGS) return { pull, files, still };
  }
}

function doubtsAbout({ pull, files, still }: Reading, shown: string): string[] {
  const listed = files.length;
  const doubts: string[] = [];
  if (!still)
    doubts.push(`${shown} changed each of the ${READINGS} times it was read`);
  if (listed >= PULL_REQUEST_FILES_CAP)
    doubts.push(
      `GitHub lists at most ${PULL_REQUEST_FILES_CAP} files of a pull request, and ${shown} changes ${pull.changedFiles}`,
    );
  else if (listed !== pull.changedFiles)
    doubts.push(
      `GitHub listed ${listed} files of ${shown}, which changes ${pull.changedFiles}`,
    );
  return doubts;
}

async function findBase(
  github: GitHub,
  { repository }: PullRequestName,
  { base, head }: PullRequest,
): Promise<Revision | undefined> {
  const comparison = await unlessNotFound(
    github.compare(repository, base.commit, head.commit),
  );
  return comparison && { name: base.branch, commit: comparison.mergeBase };
}

/** Lists the changes with git, if both commits and their merge base are in the clone already. It fetches nothing. */
async function askGit(
  clone: Repository,
  { base, head }: PullRequest,
): Promise<Omit<Changeset, "source" | "head"> | undefined> {
  const [one, other] = await Promise.all([
    findCommit(clone.git, base.commit),
    findCommit(clone.git, head.commit),
  ]);
  if (one === undefined || other === undefined) return undefined;
  try {
    const found = await readGitChangeset(clone, {
      base: one,
      head: other,
      workingTree: false,
      deepen: "never",
      onMissingBase: "error",
    });
    return {
      base: found.base && { ...found.base, name: base.branch },
      changes: found.changes,
      unknown: found.unknown,
    };
  } catch (error) {
    if (error instanceof RepositoryError) return undefined;
    throw error;
  }
}

/** Sorts changes in git's order, independent of GitHub's pages. */
function sorted(changes: readonly Change[]): readonly Change[] {
  const bytes = (change: Change) => Buffer.from(change.path);
  return changes
    .map((change) => ({ change, key: bytes(change) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ change }) => change);
}
