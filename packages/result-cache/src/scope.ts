import type { Ci } from "@skein/ci";

/** The scope that a run writes results to, and the scopes that it reads. */
export interface Scope {
  /** The scope of the results that this run writes. */
  readonly own: string;
  /** The scopes that this run reads, its own first. */
  readonly reads: readonly string[];
}

/** The origin of a run: the variables of its CI engine, and further facts. */
export interface RunOrigin {
  readonly ci: Ci;
  /** The commit that is checked out. */
  readonly head: string | undefined;
  /** The default branch according to GitHub's event file. A file of the repository could name any branch. */
  readonly githubDefaultBranch: string | undefined;
  /**
   * The identity of the repository, such as `github.com/acme/shop`, or the value of `SKEIN_CACHE_REPOSITORY`; undefined if it
   * is unknown.
   */
  readonly repository: string | undefined;
}

/** The scope of the default branch and the merge queue. */
const TRUSTED = "default";

/**
 * Returns the scope of a run. Pure. In CI, a run of the default branch reads only results of such runs. Any other run
 * reads its own scope and that of the default branch. A run that can't be identified gets a scope only for its commit,
 * so that no other code ever reads its results.
 */
export function scopeOf(origin: RunOrigin): Scope {
  const { repository, head } = origin;
  const trusted = repository && `${TRUSTED}/${repository}`;
  const found = ownScope(origin);
  const own =
    (found === TRUSTED ? trusted : found) ?? `commit/${head ?? "none"}`;
  return {
    own,
    reads: trusted === undefined || own === trusted ? [own] : [own, trusted],
  };
}

/**
 * Events of GitHub whose commit is on the branch that the run names. `pull_request_target` and `workflow_run` name the
 * default branch too, but pull requests start them.
 */
const BRANCH_EVENTS = new Set(["push", "schedule", "workflow_dispatch"]);

function ownScope(origin: RunOrigin): string | undefined {
  const { ci, head } = origin;
  if (ci.engine === undefined) return ci.isCi ? undefined : "local";
  const place = `${ci.engine}/${ci.repository ?? ""}`;
  const pull = pullOf(ci);
  if (pull !== undefined) return `pull/${place}/${pull}`;
  // A step may have checked out another commit.
  if (ci.commit === undefined || ci.commit !== head) return undefined;
  if (isMergeGroup(ci)) return TRUSTED;
  const isOfBranch =
    ci.event.kind !== "file" || BRANCH_EVENTS.has(ci.event.name);
  if (!isOfBranch || !ci.ref?.startsWith("refs/heads/")) return undefined;
  const branch =
    ci.engine === "github-actions"
      ? origin.githubDefaultBranch
      : ci.defaultBranch;
  return branch !== undefined && ci.ref === `refs/heads/${branch}`
    ? TRUSTED
    : `branch/${place}/${ci.ref}`;
}

function pullOf({ event, ref, pull }: Ci): string | number | undefined {
  if (event.kind === "variables") return pull;
  return event.name === "pull_request"
    ? /^refs\/pull\/(\d+)\//.exec(ref ?? "")?.[1]
    : undefined;
}

function isMergeGroup({ event }: Ci): boolean {
  return event.kind === "file"
    ? event.name === "merge_group"
    : event.change.kind === "merge-group";
}
