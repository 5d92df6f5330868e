import {
  DIFF_RAW_ARGS,
  parseDiffRaw,
  parseStatusV2,
  RepositoryError,
  resolveCommit,
  STATUS_ARGS,
} from "@skein/git";
import type { Git, Repository, Status, Tip } from "@skein/git";
import type { Change, Changeset, Revision, Unknown } from "./changeset.js";
import { findBases } from "./find-bases.js";

/** Which changes are asked for. `base` and `since` exclude each other. */
export interface GitChangesetRequest {
  /** Compare from the merge base of this ref and head. Default: the default branch. */
  readonly base?: string;
  /** Compare to this ref. Anything but `HEAD` leaves the working tree out: it is not of that commit. */
  readonly head?: string;
  /** Compare from this ref itself, without a merge base: what its side did since they parted counts too. */
  readonly since?: string;
  /** Whether staged, unstaged and untracked changes count. Ignored in a bare repository. */
  readonly workingTree: boolean;
  /** Whether a shallow clone may fetch the history that is missing. */
  readonly deepen: "auto" | "never";
  /** Without a base: throw, or answer with an `unknown` that makes everything affected. */
  readonly onMissingBase: "error" | "everything";
  /** The workspace's own setting of its default branch. */
  readonly defaultBranch?: string;
}

/**
 * What changed between two commits, and in the working tree on top of the later one. Paths are from the top of the
 * repository, whatever folder was asked from.
 *
 * A change is here when any step shows it: a file that is changed by a commit and changed back in the working tree is
 * listed twice, although its content is the base's again. With several merge bases it is the union over them.
 *
 * Not seen, because git was told not to look: ignored files, and tracked ones that `git update-index` marked
 * `--assume-unchanged` or, without a sparse checkout, `--skip-worktree`. Files that a sparse checkout leaves out are
 * unchanged; those that are there nevertheless are compared.
 *
 * At most three git processes run one after the other where the remote names its default branch (with the one of
 * `openRepository`); `git status` runs beside them.
 * @throws {RepositoryError} `unknown-ref`; and, unless everything is asked for instead, `no-default-branch`,
 *   `no-merge-base`
 * @throws {GitError} when git itself fails
 */
export async function readGitChangeset(
  repository: Repository,
  request: GitChangesetRequest,
): Promise<Changeset> {
  const atHead = request.head === undefined || request.head === "HEAD";
  const includesWorkingTree =
    request.workingTree && atHead && repository.topLevel !== undefined;
  const [status, range] = await Promise.all([
    includesWorkingTree ? readStatus(repository.git) : undefined,
    atHead
      ? readRange(repository, request, repository.head)
      : resolveCommit(repository.git, request.head ?? "HEAD").then((commit) =>
          readRange(repository, request, commit),
        ),
  ]);
  return {
    base: range.base,
    head: range.head,
    source: { kind: "git", includesWorkingTree },
    changes: [
      ...range.changes,
      ...(await changesSince(repository.git, range.head, status?.head)),
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
    const diffs = await Promise.all(
      bases.commits.map((id) => readDiff(repository.git, id, commit)),
    );
    return { base, head, changes: union(diffs), unknown: [] };
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

/** Why there is no base to compare with, in words for a reason; undefined for any other error. */
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

async function readStatus(git: Git): Promise<Status> {
  return parseStatusV2((await git.run(STATUS_ARGS)).stdout);
}

async function readDiff(git: Git, from: string, to: string): Promise<Change[]> {
  if (from === to) return [];
  const { stdout } = await git.run([...DIFF_RAW_ARGS, from, to]);
  return parseDiffRaw(stdout).map((entry) => ({
    ...entry,
    origin: "committed" as const,
  }));
}

/** Somebody may commit while we read: what status compared with a later HEAD, the range must hold too. */
async function changesSince(
  git: Git,
  head: Revision | undefined,
  later: string | undefined,
): Promise<Change[]> {
  if (head === undefined || later === undefined) return [];
  return readDiff(git, head.commit, later);
}

function union(diffs: readonly Change[][]): Change[] {
  if (diffs.length < 2) return diffs[0] ?? [];
  const all = diffs.flat();
  return [
    ...new Map(all.map((change) => [JSON.stringify(change), change])).values(),
  ];
}
