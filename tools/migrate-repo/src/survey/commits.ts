import { streamObjects, type Git, type GitObject } from "@skein/git";
import { findInMessage } from "../secrets/find-in-message.js";
import type { SecretFound } from "../secrets/secret-found.js";

/** Facts about the commits of a history. */
export interface CommitFacts {
  readonly commits: number;
  /** The requested commits that are in the history. */
  readonly reachable: ReadonlySet<string>;
  /** The number of commits whose messages would close issues of the target on GitHub. */
  readonly closing: number;
  /** The credentials in their messages. */
  readonly secrets: readonly SecretFound[];
}

/** Messages that close issues (docs.github.com, "Linking a pull request to an issue"). */
const CLOSING = /(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +#[0-9]/i;

/** Collects facts about a history from its commits while they are streamed. */
export interface CommitSurvey {
  see(commit: GitObject): void;
  facts(): CommitFacts;
}

/** Starts a survey. @param wanted the requested commits */
export function openCommitSurvey(wanted: ReadonlySet<string>): CommitSurvey {
  const reachable = new Set<string>();
  let commits = 0;
  let closing = 0;
  const secrets: SecretFound[] = [];
  return {
    see(commit) {
      const { id, content } = commit;
      commits += 1;
      if (wanted.has(id)) reachable.add(id);
      const words = content.indexOf("\n\n");
      if (content.includes("#", words, "latin1"))
        closing += Number(CLOSING.test(content.toString("latin1", words)));
      secrets.push(...findInMessage(commit));
    },
    facts: () => ({ commits, reachable, closing, secrets }),
  };
}

/**
 * Passes every commit that the tips reach, but the excluded ones don't, to a survey, once. The commits are streamed;
 * only the requested facts stay in memory.
 */
export async function surveyCommits(
  git: Git,
  tips: readonly string[],
  survey: CommitSurvey,
  exclude: readonly string[] = [],
): Promise<void> {
  const list = ["rev-list", "--stdin"];
  const wanted = revisions(tips, exclude);
  for await (const batch of streamObjects(git, list, wanted)) {
    for (const object of batch) {
      if (!object) throw new Error("rev-list named a commit that is missing");
      survey.see(object);
    }
  }
}

/** Returns revisions for the standard input of git: commits that the tips reach, but the excluded ones don't. */
export function revisions(
  tips: readonly string[],
  exclude: readonly string[] = [],
): string {
  return [...tips, ...exclude.map((id) => `^${id}`), ""].join("\n");
}

/** Returns the commits that these tips reach, but the excluded ones don't. */
export async function listCommits(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[] = [],
): Promise<readonly string[]> {
  const input = revisions(tips, exclude);
  const { stdout } = await git.run(["rev-list", "--stdin"], { input });
  return stdout.toString("latin1").split("\n").filter(Boolean);
}

/** Returns the number of commits that these tips reach, but the excluded ones don't. */
export async function countCommits(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[],
): Promise<number> {
  const { stdout } = await git.run(["rev-list", "--count", "--stdin"], {
    input: revisions(tips, exclude),
  });
  return Number(stdout.toString());
}

/**
 * Returns which of these objects a repository holds. It may lack originals (`--no-originals`); git then fetches the
 * whole history again, and the map shows which commits are known.
 */
export async function presentObjects(
  git: Git,
  type: "commit" | "tag" | "tree",
  ids: readonly string[],
): Promise<readonly string[]> {
  if (ids.length === 0) return [];
  const { stdout } = await git.run(
    ["cat-file", "--batch-check=%(objecttype)"],
    { input: ids.map((id) => `${id}\n`).join("") },
  );
  const kinds = stdout.toString().split("\n");
  return ids.filter((_, index) => kinds[index] === type);
}

/** Returns whether one commit is in the history of another; also false if either doesn't exist. */
export async function isAncestor(
  git: Git,
  ancestor: string,
  commit: string,
): Promise<boolean> {
  const { exitCode } = await git.run(
    ["merge-base", "--is-ancestor", ancestor, commit],
    { answers: [0, 1, 128] },
  );
  return exitCode === 0;
}
