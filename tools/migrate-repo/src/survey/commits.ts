import { streamObjects, type Git, type GitObject } from "@skein/git";
import { findInMessage } from "../secrets/find-in-message.js";
import type { SecretFound } from "../secrets/secret-found.js";

/** Facts about the commits of a history. */
export interface CommitFacts {
  readonly commits: number;
  /** Those that were asked about and are among them. */
  readonly reachable: ReadonlySet<string>;
  /** Commits whose messages would close issues of the target on GitHub. */
  readonly closing: number;
  /** Credentials in their messages. */
  readonly secrets: readonly SecretFound[];
}

/** Messages that close issues (docs.github.com, "Linking a pull request to an issue"). */
const CLOSING = /(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):? +#[0-9]/i;

/** Learns what a history tells from its commits, as they pass by. */
export interface CommitSurvey {
  see(commit: GitObject): void;
  facts(): CommitFacts;
}

/** @param wanted commits that are asked about */
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
 * Shows a survey every commit that the tips lead to, without what others lead to, once. They stream by; only what is
 * asked for is held.
 */
export async function surveyCommits(
  git: Git,
  tips: readonly string[],
  survey: CommitSurvey,
  exclude: readonly string[] = [],
): Promise<void> {
  const list = ["rev-list", "--stdin"];
  const wanted = [...tips, ...exclude.map((id) => `^${id}`), ""].join("\n");
  for await (const batch of streamObjects(git, list, wanted)) {
    for (const object of batch) {
      if (!object) throw new Error("rev-list named a commit that is missing");
      survey.see(object);
    }
  }
}

/** Returns how many commits these tips lead to, without what others lead to. */
export async function countCommits(
  git: Git,
  tips: readonly string[],
  exclude: readonly string[],
): Promise<number> {
  const { stdout } = await git.run(["rev-list", "--count", "--stdin"], {
    input: [...tips, ...exclude.map((id) => `^${id}`), ""].join("\n"),
  });
  return Number(stdout.toString());
}

/**
 * Returns which of these objects a repository holds. Originals may have been left out (`--no-originals`); then git
 * brings the
 * whole history again, and the map tells what is known.
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

/** Returns whether one commit is in the history of another; false too where either is not there. */
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
