import type { Ci } from "@skein/ci";

/** Who writes results, and whose results are read. */
export interface Scope {
  /** What this run writes is in this scope. */
  readonly own: string;
  /** Scopes that this run reads, its own first. */
  readonly reads: readonly string[];
}

/** What is known of a run besides what its CI engine's variables say. */
export interface RunOrigin {
  readonly ci: Ci;
  /** The commit that is checked out. */
  readonly head: string | undefined;
  /** As GitHub's event file names it; a file of the repository could name any branch. */
  readonly githubDefaultBranch: string | undefined;
  /** Which repository this is, such as `github.com/acme/shop`, or the word of `SKEIN_CACHE_REPOSITORY`; undefined: nothing tells. */
  readonly repository: string | undefined;
}

/** What the default branch and the merge queue of a repository attest: another repository on the same server has its own. */
const TRUSTED = "default";

/**
 * Returns the scope of a run. Pure. In CI, a run of the default branch reads only what such runs wrote; any other run
 * reads its own scope and the default branch's. A run that cannot be told apart gets a scope for its commit alone, so no
 * other code ever reads what it wrote.
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
 * default branch too, and pull requests start them.
 */
const BRANCH_EVENTS = new Set(["push", "schedule", "workflow_dispatch"]);

function ownScope(origin: RunOrigin): string | undefined {
  const { ci, head } = origin;
  if (ci.engine === undefined) return ci.isCi ? undefined : "local";
  const place = `${ci.engine}/${ci.repository ?? ""}`;
  const pull = pullOf(ci);
  if (pull !== undefined) return `pull/${place}/${pull}`;
  // A step may have checked out something else.
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
