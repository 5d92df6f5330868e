import { readStatus, RepositoryError, resolveBase } from "@skein/git";
import type { Repository, Tip } from "@skein/git";
import type { EarlyAnswers } from "./begin.js";
import type { Change, Changeset, Revision, Unknown } from "./changeset.js";
import { readDiff } from "./diff.js";
import { findBases } from "./find-bases.js";

/** The changes to list. `base` and `since` exclude each other. */
export interface GitChangesetRequest {
  /** The ref whose merge base with head is the base. Default: the default branch. */
  readonly base?: string;
  /**
   * The ref to compare to. With any other ref than `HEAD` the working tree is excluded, because it doesn't belong to
   * that commit.
   */
  readonly head?: string;
  /**
   * The ref to compare with directly, without a merge base. Commits on its side since the branches diverged also count,
   * in reverse.
   */
  readonly since?: string;
  /** Whether staged, unstaged and untracked changes count. Ignored in a bare repository. */
  readonly workingTree: boolean;
  /** Whether a shallow clone may fetch the history that is missing. */
  readonly deepen: "auto" | "never";
  /** The reaction to a missing base: throw, or return an `unknown` that makes everything affected. */
  readonly onMissingBase: "error" | "everything";
  /** The workspace's own setting of its default branch. */
  readonly defaultBranch?: string;
  /** The folder for the copy of a large index, with which git finds changes faster. Default: no copy. */
  readonly keepIn?: string | undefined;
  /** Git processes that already run in this repository. */
  readonly early?: EarlyAnswers | undefined;
}

/**
 * Lists the changes between two commits, and those in the working tree after the later one. Paths are from the top of
 * the repository, whatever the current folder is.
 *
 * A change is listed if any step shows it. A file that a commit changed and the working tree changed back is listed
 * twice, although its content is the base's again. With several merge bases the result is the union over them.
 *
 * Ignored files are not listed. Tracked files that `git update-index` marked `--assume-unchanged` or `--skip-worktree`
 * are compared like all others. Files that a sparse checkout excludes count as unchanged. If they exist anyway, they are
 * compared.
 *
 * If `openRepository` was given the base, and the history is complete, this takes one round of processes, or none if
 * `begin` started them. Otherwise more rounds are needed, one or two.
 * @throws {RepositoryError} `unknown-ref`; `no-default-branch` and `no-merge-base` unless `onMissingBase` is
 *   "everything"
 * @throws {GitError} if git itself fails
 */
export async function readGitChangeset(
  repository: Repository,
  request: GitChangesetRequest,
): Promise<Changeset> {
  const atHead = request.head === undefined || request.head === "HEAD";
  const includesWorkingTree =
    request.workingTree && atHead && repository.topLevel !== undefined;
  const [status, range] = await Promise.all([
    includesWorkingTree
      ? (request.early?.status ??
        readStatus(repository.git, { ...repository, keepIn: request.keepIn }))
      : undefined,
    atHead
      ? readRange(repository, request, repository.head)
      : resolveBase(repository, request.head ?? "HEAD", request.deepen).then(
          ({ commit }) => readRange(repository, request, commit),
        ),
  ]);
  return {
    base: range.base,
    head: range.head,
    source: { kind: "git", includesWorkingTree },
    changes: [
      ...range.changes,
      ...(await changesSince(
        repository,
        range.head,
        status?.head,
        request.early,
      )),
      ...(status?.entries ?? []),
    ],
    unknown: range.unknown,
  };
}

interface Range {
  readonly base: Revision | undefined;
  readonly head: Revision | undefined;
  readonly changes: readonly Change[];
  readonly unknown: readonly Unknown[];
}

async function readRange(
  repository: Repository,
  request: GitChangesetRequest,
  commit: string | undefined,
): Promise<Range> {
  if (commit === undefined) return withoutBase(undefined, NO_COMMITS);
  const head = { name: request.head ?? "HEAD", commit };
  try {
    const bases = await findBases(repository, request, head);
    const base = { name: bases.name, commit: bases.commits[0] };
    const changes = await readDiffs(
      repository,
      bases.commits,
      commit,
      request.early,
    );
    return { base, head, changes, unknown: [] };
  } catch (error) {
    if (request.onMissingBase === "everything") {
      const why = missingBase(error);
      if (why !== undefined) return withoutBase(head, why);
    }
    throw error;
  }
}

const NO_COMMITS = "the repository has no commits yet";

function withoutBase(head: Tip | undefined, detail: string): Range {
  return {
    base: undefined,
    head,
    changes: [],
    unknown: [{ kind: "no-base", detail }],
  };
}

/** Returns why there is no base to compare with, as text for a reason; undefined for any other error. */
function missingBase(error: unknown): string | undefined {
  if (!(error instanceof RepositoryError)) return undefined;
  const { problem } = error;
  switch (problem.kind) {
    case "unknown-ref":
      return `there is no commit called ${JSON.stringify(problem.ref)}`;
    case "no-default-branch":
      return `no default branch was found (tried ${problem.tried.join(", ")})`;
    case "no-merge-base":
      return problem.why === "shallow"
        ? `the clone is shallow, and its history ends before ${problem.base} and ${problem.head} meet`
        : `${problem.base} and ${problem.head} have no history in common`;
    case "git-not-installed":
    case "no-such-folder":
    case "not-a-repository":
    case "dubious-ownership":
      return undefined;
  }
}

/** Returns the union of the differences from each base. */
async function readDiffs(
  repository: Repository,
  bases: readonly string[],
  to: string,
  early: EarlyAnswers | undefined,
): Promise<Change[]> {
  const diffs = await Promise.all(
    bases.map((id) => readDiff(repository, id, to, early)),
  );
  const each = diffs
    .flat()
    .map((change): [string, Change] => [JSON.stringify(change), change]);
  return [...new Map(each).values()];
}

/**
 * Returns the changes between head and the commit that `git status` compared with. They differ if someone commits
 * while Skein reads.
 */
async function changesSince(
  repository: Repository,
  head: Revision | undefined,
  later: string | undefined,
  early: EarlyAnswers | undefined,
): Promise<Change[]> {
  if (head === undefined || later === undefined) return [];
  return head.commit === later
    ? []
    : readDiff(repository, head.commit, later, early);
}
