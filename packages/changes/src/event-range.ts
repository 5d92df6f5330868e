import { RepositoryError, resolveBase, type Repository } from "@skein/git";
import type { GitHub, RepositoryName } from "@skein/github";
import type { Revision } from "./changeset.js";
import { readGitChangeset, type GitChangesetRequest } from "./git-changeset.js";
import { compareOnGitHub } from "./github-compare.js";
import type { CompareRequest, Range } from "./github-compare.js";

/** The sources of an event's commits. At least one of clone and GitHub is defined. */
export interface EventWorld {
  /** Undefined if GitHub is not used. */
  readonly repository: RepositoryName | undefined;
  readonly clone: Repository | undefined;
  readonly github: GitHub | undefined;
  readonly deepen: "auto" | "never";
}

/** The range and its source; or the reason why git did not find the commits. */
export type Found =
  | {
      readonly kind: "found";
      readonly range: Range;
      readonly via: "git" | "api";
    }
  | {
      readonly kind: "missing";
      /** Git's error, with the command that would help; undefined without a clone. */
      readonly error: RepositoryError | undefined;
      /** Whether GitHub was asked and doesn't have the commits either. */
      readonly unknownToGitHub: boolean;
    };

/** Two commits to compare. */
export type TwoCommits = Pick<CompareRequest, "base" | "head" | "how">;

/**
 * Compares two commits: with git if the clone has them or can fetch them, else through GitHub. In CI the working tree
 * is not included, because files that a build step wrote are not changes.
 * @throws {GitHubError} if GitHub is needed and cannot answer
 */
export async function compareCommits(
  world: EventWorld,
  commits: TwoCommits,
): Promise<Found> {
  const { base, head, how } = commits;
  const byGit = await askGit(world, head, {
    ...(how === "direct" ? { since: base.commit } : { base: base.commit }),
  });
  if (byGit?.kind === "found") return named(byGit, base.name);
  const range =
    world.github &&
    world.repository &&
    (await compareOnGitHub({
      ...commits,
      github: world.github,
      repository: world.repository,
    }));
  if (range) return { kind: "found", range, via: "api" };
  return missing(world, byGit);
}

/**
 * Compares a commit with its merge base with the default branch.
 * @throws {GitHubError} as above
 */
export async function compareWithDefaultBranch(
  world: EventWorld,
  branch: string,
  head: Revision,
): Promise<Found> {
  const byGit = await askGit(world, head, { defaultBranch: branch });
  if (byGit?.kind === "found") return named(byGit, branch);
  const { github, repository } = world;
  const tip =
    repository && (await github?.resolveRef(repository, `heads/${branch}`));
  if (!github || !repository || tip === undefined) return missing(world, byGit);
  const range = await compareOnGitHub({
    github,
    repository,
    base: { name: branch, commit: tip },
    head,
    how: "merge-base",
  });
  return range ? { kind: "found", range, via: "api" } : missing(world, byGit);
}

function missing({ github }: EventWorld, byGit: Found | undefined): Found {
  return {
    kind: "missing",
    error: byGit?.kind === "missing" ? byGit.error : undefined,
    unknownToGitHub: github !== undefined,
  };
}

async function askGit(
  { clone, deepen }: EventWorld,
  head: Revision,
  request: Pick<GitChangesetRequest, "base" | "since" | "defaultBranch">,
): Promise<Found | undefined> {
  if (!clone) return undefined;
  try {
    await resolveBase(clone, head.commit, deepen);
    const { base, changes, unknown } = await readGitChangeset(clone, {
      ...request,
      head: head.commit,
      workingTree: false,
      deepen,
      onMissingBase: "error",
    });
    const range = { base, head, changes, unknown };
    return { kind: "found", range, via: "git" };
  } catch (error) {
    if (!(error instanceof RepositoryError)) throw error;
    return { kind: "missing", error, unknownToGitHub: false };
  }
}

/** Replaces the commit id, by which git found the base, with the name that users know. */
function named(found: Extract<Found, { kind: "found" }>, name: string): Found {
  const { range } = found;
  return {
    ...found,
    range: { ...range, base: range.base && { ...range.base, name } },
  };
}
