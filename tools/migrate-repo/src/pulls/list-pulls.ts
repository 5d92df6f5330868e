import { githubAccessOf } from "@skein/ci";
import { GitError, type Git } from "@skein/git";
import { GitHubError, openGitHub, showRepository } from "@skein/github";
import type { SourceAddress } from "../migration.js";
import { SourceError } from "../survey/announcement.js";
import type { OpenPull } from "./pull.js";
import type { PullSource } from "./pull-source.js";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Lists the open pull requests of a source, oldest first. Their heads are `refs/pull/N/head`, which a repository keeps
 * even if a fork is deleted. If the repository has no such ref, the head is a branch in it.
 * @throws {SourceError} if the source doesn't answer
 * @throws {Failure} if GitHub doesn't answer
 */
export async function listPulls(
  git: Git,
  address: SourceAddress,
  source: PullSource,
  env: Env,
): Promise<readonly OpenPull[]> {
  const [open, refs] = await Promise.all([
    askGitHub(source, env),
    pullRefs(git, address),
  ]);
  const own = showRepository(source.repository).toLowerCase();
  return open.map(({ number, title, author, draft, base, head }) => {
    const isOwn = head.repository?.toLowerCase() === own;
    const candidates = [
      `refs/pull/${number}/head`,
      ...(isOwn ? [`refs/heads/${head.branch}`] : []),
    ];
    return {
      number,
      title,
      author,
      draft,
      base: base.branch,
      from: `${head.repository?.split("/")[0] ?? "a deleted fork"}:${head.branch}`,
      ref: candidates.find((ref) => refs.has(ref)),
    };
  });
}

async function askGitHub({ repository, baseUrl }: PullSource, env: Env) {
  // An empty variable counts as unset, because workflows often set a missing one to "".
  const token = githubAccessOf(env).anyToken;
  const github = openGitHub({
    baseUrl,
    token,
    userAgent: "skein-migrate-repo",
  });
  try {
    return await github.openPullRequests(repository);
  } catch (error) {
    if (!(error instanceof GitHubError)) throw error;
    const { githubFailure } = await import("@skein/changes/github");
    throw githubFailure(error);
  }
}

async function pullRefs(
  git: Git,
  address: SourceAddress,
): Promise<ReadonlySet<string>> {
  try {
    const { stdout } = await git.run([
      "ls-remote",
      "--",
      address.fetchFrom,
      "refs/pull/*/head",
      "refs/heads/*",
    ]);
    return new Set(
      stdout
        .toString("utf8")
        .split("\n")
        .map((line) => line.slice(line.indexOf("\t") + 1)),
    );
  } catch (error) {
    if (error instanceof GitError)
      throw new SourceError(address.shown, error.stderr.trim());
    throw error;
  }
}
