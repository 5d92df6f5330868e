import { ciOf, githubAccessOf, type Env } from "@skein/ci";
import type { Changeset } from "@skein/changes";
import {
  findRemoteRepository,
  githubFailure,
  githubTree,
  lastGreenCommit,
  readEventChangeset,
  readPullRequestChangeset,
} from "@skein/changes/github";
import { findCommit, type Repository, type Tree } from "@skein/git";
import {
  apiUrlOf,
  GitHubError,
  openGitHub,
  parsePullRequest,
  parseRepository,
} from "@skein/github";
import type { GitHub, RepositoryName } from "@skein/github";
import { Failure, usageFailure } from "@skein/reporting";
import type { Settings } from "@skein/workspaces";
import type { ChangeOptions } from "../command.js";

/** A changeset, and a way to read the commits at its ends if no clone has them. */
export interface RemoteChangeset {
  readonly changeset: Changeset;
  /** Undefined if the clone contains both ends. */
  readonly treeAt: ((commit: string) => Tree) | undefined;
}

/** Reads the changes of a pull request. It doesn't need a clone. */
export async function readPullRequest(
  env: Env,
  clone: Repository | undefined,
  name: string,
): Promise<RemoteChangeset> {
  const pullRequest = parsePullRequest(name);
  if (!pullRequest) {
    throw usageFailure(`--pr takes owner/repo#number, not ${name}`, {
      hint: "for example: affected list --pr acme/shop#123",
    });
  }
  const github = openHub(env, undefined);
  return withTrees(github, pullRequest.repository, clone, () =>
    readPullRequestChangeset({ github, pullRequest, clone }),
  );
}

/** Reads the changes of the event that started this run. It queries GitHub only in GitHub Actions. */
export async function readEvent(
  env: Env,
  clone: Repository,
  { deepen, fallback }: ChangeOptions,
): Promise<RemoteChangeset> {
  const { anyToken, repository: name = "" } = githubAccessOf(env);
  const hasToken =
    ciOf(env).engine === "github-actions" && anyToken !== undefined;
  const github = hasToken ? openHub(env, undefined) : undefined;
  const request = {
    env,
    clone,
    github,
    deepen,
    onMissingBase: fallback === "all" ? "everything" : "error",
  } as const;
  const repository = parseRepository(name);
  if (!github || !repository)
    return { changeset: await readEventChangeset(request), treeAt: undefined };
  return withTrees(github, repository, clone, () =>
    readEventChangeset(request),
  );
}

/**
 * Returns the newest commit of the default branch whose workflow was green, as the ref to compare with.
 * @throws Failure if GitHub can't be reached, or if there is no such commit
 */
export async function findLastGreen(
  env: Env,
  clone: Repository,
  { workflow, defaultBranch }: Settings,
): Promise<string> {
  const remote = await findRemoteRepository(clone.git);
  const repository =
    parseRepository(githubAccessOf(env).repository ?? "") ?? remote?.repository;
  if (!repository) {
    throw new Failure(
      "--base last-green asks GitHub, but no remote of this clone is on GitHub",
      {
        hint: "compare with a ref: --base <ref>",
      },
    );
  }
  const github = openHub(env, remote?.host);
  return speakingGitHub(async () => {
    const branch = defaultBranch ?? (await github.defaultBranch(repository));
    const green = await lastGreenCommit({
      github,
      repository,
      branch,
      workflow,
    });
    if (green.kind === "found") return green.commit;
    throw new Failure(
      `there is no green commit to compare with: ${green.detail}`,
      {
        hint: "name the workflow in skein.json (`workflow`), or compare with a ref: --base <ref>",
      },
    );
  });
}

async function withTrees(
  github: GitHub,
  repository: RepositoryName,
  clone: Repository | undefined,
  read: () => Promise<Changeset>,
): Promise<RemoteChangeset> {
  const changeset = await speakingGitHub(read);
  const ends = [changeset.base, changeset.head].flatMap(
    (end) => end?.commit ?? [],
  );
  const known = await Promise.all(
    ends.map(async (commit) => clone && (await findCommit(clone.git, commit))),
  );
  return {
    changeset,
    treeAt: known.every((commit) => commit !== undefined)
      ? undefined
      : (commit) => speakingTree(githubTree(github, repository, commit)),
  };
}

function openHub(env: Env, host: string | undefined): GitHub {
  const { anyToken: token, apiUrl } = githubAccessOf(env);
  const baseUrl = apiUrl ?? apiUrlOf(host ?? "github.com");
  return openGitHub({
    baseUrl,
    userAgent: "skein-affected",
    ...(token !== undefined && { token }),
  });
}

async function speakingGitHub<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw error instanceof GitHubError ? githubFailure(error) : error;
  }
}

function speakingTree(tree: Tree): Tree {
  return {
    name: tree.name,
    list: () => speakingGitHub(() => tree.list()),
    read: (path) => speakingGitHub(() => tree.read(path)),
  };
}
