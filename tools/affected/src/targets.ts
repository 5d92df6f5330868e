import type { Ci } from "@skein/ci";
import type { Changeset } from "@skein/changes";
import type { CiEvent } from "@skein/changes/github";
import type { Affected, WorkspaceGraph } from "@skein/workspaces";

/** The pull request for the merge queue. */
export interface TargetsOf {
  readonly host: string;
  readonly owner: string;
  readonly name: string;
  readonly number: number;
  /** The commit at its head, not a trial merge. */
  readonly sha: string;
  readonly targetBranch: string | undefined;
}

/**
 * Finds the pull request: the one in the options, or else that of the event. Pure.
 * @param event the event of this run; undefined outside of CI
 * @returns undefined if there is none
 */
export function findPull(
  { source, head }: Pick<Changeset, "source" | "head">,
  ci: Pick<Ci, "server" | "repository">,
  event: CiEvent | undefined,
): TargetsOf | undefined {
  const host = URL.canParse(ci.server ?? "")
    ? new URL(ci.server ?? "").host
    : "github.com";
  if (source.kind === "pull-request")
    return head === undefined
      ? undefined
      : {
          host,
          ...splitPath(source.repository),
          number: source.number,
          sha: head.commit,
          targetBranch: undefined,
        };
  const asks = event?.asks;
  if (asks?.kind === "pull-request")
    return {
      host,
      ...asks.pullRequest.repository,
      number: asks.pullRequest.number,
      sha: asks.head,
      targetBranch: asks.base.branch,
    };
  if (asks?.kind === "merge-request")
    return {
      host,
      ...splitPath(ci.repository ?? ""),
      number: asks.number,
      sha: asks.source,
      targetBranch: asks.targetBranch,
    };
  return undefined;
}

/** Splits `group/sub/name`: everything before the last part is the owner. */
function splitPath(path: string): { owner: string; name: string } {
  const at = path.lastIndexOf("/");
  return { owner: path.slice(0, Math.max(0, at)), name: path.slice(at + 1) };
}

/**
 * Returns the targets that a pull request impacts: the affected packages, including dependents, or `"ALL"`. If two pull
 * requests have no common target, they can't break a package together.
 */
export function impactedTargets(
  { everything, packages }: Pick<Affected, "everything" | "packages">,
  { workspaces, root }: Pick<WorkspaceGraph, "workspaces" | "root">,
): readonly string[] | "ALL" {
  const names = [...workspaces.keys()].filter((name) => name !== root);
  return everything.length > 0 ||
    (names.length > 0 && names.every((name) => packages.has(name)))
    ? "ALL"
    : [...packages.keys()].toSorted();
}

/**
 * Returns the body of Trunk's `POST /v1/setImpactedTargets`.
 * @see https://docs.trunk.io/merge-queue/optimizations/parallel-queues/api
 */
export function trunkBody(
  { host, owner, name, number, sha }: TargetsOf,
  targetBranch: string,
  targets: readonly string[] | "ALL",
): object {
  return {
    repo: { host, owner, name },
    pr: { number, sha },
    targetBranch,
    impactedTargets: targets,
  };
}
