import type { Repository } from "@skein/git";
import { showRepository } from "@skein/github";
import type { Asks } from "./event-payload.js";
import { compareCommits, compareWithDefaultBranch } from "./event-range.js";
import type { EventWorld, Found } from "./event-range.js";
import { readPullRequestChangeset } from "./github-pull-request.js";

/**
 * Compares base and head of GitHub's pull request.
 * @throws {GitHubError} if GitHub is needed and cannot answer
 */
export async function readPullRequest(
  world: EventWorld,
  { pullRequest, base, head, trialMerge }: Asks<"pull-request">,
): Promise<Found> {
  const { github } = world;
  const shown = `${showRepository(pullRequest.repository)}#${pullRequest.number}`;
  const merged =
    trialMerge &&
    (await compareMerge(world, { target: base.branch, source: head, shown }));
  if (merged) return merged;
  const commits = {
    base: { name: base.branch, commit: base.commit },
    head: { name: shown, commit: head },
    how: "merge-base" as const,
  };
  const byGit = await compareCommits({ ...world, github: undefined }, commits);
  if (byGit.kind === "found" || !github) return byGit;
  const changeset = await readPullRequestChangeset({ github, pullRequest });
  // The pull request has got new commits since the event, so GitHub's list is of another head. Only a comparison
  // accepts commits.
  if (changeset.head?.commit !== head)
    return compareCommits({ ...world, clone: undefined }, commits);
  const { source, ...range } = changeset;
  return {
    kind: "found",
    range,
    via: source.kind === "pull-request" ? source.via : "api",
  };
}

/** Lists the changes of the checked-out trial merge against its first parent; undefined if none is checked out. */
async function compareMerge(
  world: EventWorld,
  {
    target,
    source,
    shown,
  }: {
    readonly target: string;
    readonly source: string;
    readonly shown: string;
  },
): Promise<Found | undefined> {
  const merge = world.clone && (await readMerge(world.clone, source));
  if (!merge) return undefined;
  const found = await compareCommits(
    { ...world, github: undefined },
    {
      base: { name: target, commit: merge.onto },
      head: { name: shown, commit: merge.commit },
      how: "direct",
    },
  );
  return found.kind === "found" ? found : undefined;
}

/**
 * Compares base and head of another engine's pull request or merge request. The target branch may have moved since the
 * event. Then it contains more commits, but the merge base is the same.
 */
export async function readMergeRequest(
  world: EventWorld,
  { number, targetBranch, head, source }: Asks<"merge-request">,
): Promise<Found> {
  const shown = `#${number}`;
  const merged = await compareMerge(world, {
    target: targetBranch,
    source,
    shown,
  });
  return (
    merged ??
    compareWithDefaultBranch(world, targetBranch, { name: shown, commit: head })
  );
}

/** Returns the checked-out trial merge of a pull request; undefined if HEAD is any other commit. */
async function readMerge(
  { git, head }: Repository,
  pullRequestHead: string,
): Promise<{ commit: string; onto: string } | undefined> {
  if (head === undefined) return undefined;
  // This reads the stored object: in a shallow clone, `HEAD^1` reports that the commit has no parent.
  const { stdout } = await git.run(["cat-file", "commit", head]);
  const [headers = ""] = stdout.toString("latin1").split("\n\n");
  const parents = [...headers.matchAll(/^parent ([0-9a-f]+)$/gm)];
  const [onto, merged] = parents.map(([, id]) => id);
  if (parents.length !== 2 || onto === undefined) return undefined;
  return merged === pullRequestHead ? { commit: head, onto } : undefined;
}
