import { parseRepository } from "@skein/github";
import type { RepositoryName } from "@skein/github";

/** Where a verdict is published, or why not. Taken from GitHub's own event, never from the verdict. */
export type Target =
  | {
      readonly kind: "publish";
      readonly repository: RepositoryName;
      readonly commit: string;
      /** Undefined for a push: there is nothing to comment on. */
      readonly pull: number | undefined;
    }
  | { readonly kind: "none"; readonly why: string };

/**
 * Finds where to publish. Pure. A pull request from a fork has a token that only reads: nothing is written then, and the
 * verdict is what the job's exit code says.
 * @param payload GitHub's event, as JSON
 */
export function targetOf(
  env: Readonly<Record<string, string | undefined>>,
  payload: string,
): Target {
  const repository = parseRepository(env["GITHUB_REPOSITORY"] ?? "");
  if (!repository) return none("GITHUB_REPOSITORY names no repository");
  const event = parse(payload);
  const pull = event?.pull_request;
  if (!pull) {
    const commit = env["GITHUB_SHA"] ?? "";
    return isCommit(commit)
      ? { kind: "publish", repository, commit, pull: undefined }
      : none("GITHUB_SHA names no commit");
  }
  const commit = pull.head?.sha;
  if (!isCommit(commit) || !Number.isInteger(pull.number))
    return none("the event names no pull request");
  const from = pull.head?.repo?.full_name;
  if (from?.toLowerCase() !== env["GITHUB_REPOSITORY"]?.toLowerCase())
    return none(
      "this pull request comes from a fork, whose token cannot write; the verdict is this job's exit code",
    );
  return { kind: "publish", repository, commit, pull: Number(pull.number) };
}

interface EventPayload {
  readonly pull_request?: {
    readonly number?: unknown;
    readonly head?: {
      readonly sha?: unknown;
      readonly repo?: { readonly full_name?: string } | null;
    };
  } | null;
}

function parse(payload: string): EventPayload | undefined {
  try {
    const event = JSON.parse(payload) as EventPayload | null;
    return event ?? undefined;
  } catch {
    return undefined;
  }
}

function isCommit(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);
}

function none(why: string): Target {
  return { kind: "none", why };
}
