import { githubRunUrl, type Ci } from "@skein/ci";
import { parseRepository, type RepositoryName } from "@skein/github";
import { parsePayload, textOf, type GitHubEvent } from "../github-event.js";

/**
 * The place where a verdict is published, or why it isn't. It comes from GitHub's own event, never from the verdict.
 */
export type Target =
  | {
      readonly kind: "publish";
      readonly repository: RepositoryName;
      readonly commit: string;
      /** Undefined for a push, which has nothing to comment on. */
      readonly pull: number | undefined;
      readonly detailsUrl: string | undefined;
      /** GitHub's conclusion of the run that the verdict is of; undefined for the current run. */
      readonly conclusion: string | undefined;
    }
  | {
      /** The verdict of another run, whose pull request is not known yet. */
      readonly kind: "report";
      readonly repository: RepositoryName;
      readonly run: ReportedRun;
    }
  | { readonly kind: "none"; readonly why: string };

/** The run of a pull request that a `workflow_run` event is about. */
export interface ReportedRun {
  readonly id: number;
  readonly commit: string;
  /** The repository that the commit comes from. */
  readonly from: RepositoryName;
  /** The name of the branch, which is untrusted. */
  readonly branch: string;
  /** GitHub's conclusion of the run: `success`, `failure`, `cancelled`, … */
  readonly conclusion: string;
  readonly detailsUrl: string;
}

/**
 * Finds the place to publish. Pure. A pull request from a fork has a read-only token, so its own run publishes nothing,
 * and a `workflow_run` reports for it.
 * @param payload GitHub's event as JSON
 */
export function targetOf(ci: Ci, payload: string): Target {
  if (ci.event.kind === "variables")
    return none(
      "this is not a run of GitHub Actions; the verdict is this job's exit code",
    );
  const repository = parseRepository(ci.repository ?? "");
  if (!repository) return none("GITHUB_REPOSITORY is not a repository");
  const { workflow_run: run, pull_request: pull } = parsePayload(payload);
  if (run) return reportOf(ci, repository, run);
  const own = {
    kind: "publish" as const,
    repository,
    detailsUrl: ci.run.url,
    conclusion: undefined,
  };
  if (!pull) {
    const { commit = "" } = ci;
    return isCommit(commit)
      ? { ...own, commit, pull: undefined }
      : none("GITHUB_SHA names no commit");
  }
  const commit = pull.head?.sha;
  if (!isCommit(commit) || !Number.isInteger(pull.number))
    return none("the event names no pull request");
  if (!isSame(textOf(pull.head?.repo?.full_name), ci.repository))
    return none(
      "this pull request comes from a fork, whose token cannot write; the verdict is this job's exit code",
    );
  return { ...own, commit, pull: Number(pull.number) };
}

function reportOf(
  ci: Ci,
  repository: RepositoryName,
  run: NonNullable<GitHubEvent["workflow_run"]>,
): Target {
  if (run.event !== "pull_request")
    return none("the run that has ended was not for a pull request");
  const from = parseRepository(textOf(run.head_repository?.full_name));
  const branch = textOf(run.head_branch);
  const id = Number(run.id);
  const detailsUrl = githubRunUrl(ci, id);
  if (
    !isCommit(run.head_sha) ||
    !from ||
    branch === "" ||
    detailsUrl === undefined
  )
    return none("the event does not name the run that has ended");
  return {
    kind: "report",
    repository,
    run: {
      id,
      commit: run.head_sha,
      from,
      branch,
      conclusion: conclusionOf(run.conclusion),
      detailsUrl,
    },
  };
}

function isCommit(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

/** Returns a conclusion; `unknown` if the value isn't one of GitHub's words. */
export function conclusionOf(value: unknown): string {
  return /^[a-z_]+$/.exec(textOf(value))?.[0] ?? "unknown";
}

/** Compares names of GitHub, which are case-insensitive. */
export function isSame(one: string | undefined, other: string | undefined) {
  return one !== undefined && one.toLowerCase() === other?.toLowerCase();
}

function none(why: string): Target {
  return { kind: "none", why };
}
