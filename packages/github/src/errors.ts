/**
 * The kinds of errors. The status code and the headers determine the kind, never the message:
 * - `unauthorized` 401: the token is not valid;
 * - `forbidden` 403: the token lacks a permission;
 * - `rate-limit` 403 or 429 with no requests left in the hour;
 * - `secondary-limit` 403 or 429 with `retry-after`, and any other 429: too many requests at once;
 * - `not-found` 404, 410, 451: it doesn't exist, or this token cannot see it;
 * - `refused`: every other 4xx, a request that GitHub does not support;
 * - `server` 5xx; `timeout`: no complete answer in time; `connection`: broken, refused or unknown host;
 * - `broken-answer`: an answer that isn't the JSON it claims to be, or lacks a required field.
 *
 * Limits, `server`, `timeout`, `connection` and `broken-answer` are thrown only after retries have failed.
 */
export type GitHubErrorKind =
  | "unauthorized"
  | "forbidden"
  | "rate-limit"
  | "secondary-limit"
  | "not-found"
  | "refused"
  | "server"
  | "timeout"
  | "connection"
  | "broken-answer";

export interface GitHubErrorData {
  readonly kind: GitHubErrorKind;
  /** Undefined if no answer arrived. */
  readonly status?: number | undefined;
  /** Method and path: `GET /repos/octo/app/pulls/7`; percent-encoded, without query or host. */
  readonly request: string;
  /** The host of the API: `api.github.com`. */
  readonly host: string;
  /** The wait that GitHub asked for, in seconds. */
  readonly retryAfter?: number | undefined;
  /** The time at which the hourly limit resets, in seconds since 1970. */
  readonly resetAt?: number | undefined;
  /** The permissions that would be sufficient, as GitHub lists them (`contents=read`). */
  readonly acceptedPermissions?: string | undefined;
  /** The system's code of a failed connection (`ECONNRESET`), or the problem with an answer. */
  readonly detail?: string | undefined;
}

/**
 * An error for a GitHub that cannot be reached or does not return the requested data. It contains neither the token nor
 * any header.
 */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly kind: GitHubErrorKind;
  readonly status: number | undefined;
  readonly data: GitHubErrorData;

  constructor(data: GitHubErrorData) {
    const why = data.status ?? data.detail;
    super(
      `${data.request}: ${data.kind}${why === undefined ? "" : ` (${why})`}`,
    );
    this.kind = data.kind;
    this.status = data.status;
    this.data = data;
  }
}

/**
 * An error for an answer that did not arrive or is incomplete. The code below Octokit throws it. Octokit treats it as a
 * 500 and retries.
 */
export class TransferError extends Error {
  override readonly name = "TransferError";
  readonly kind: "timeout" | "connection" | "broken-answer";
  readonly detail: string | undefined;

  constructor(kind: TransferError["kind"], detail?: string) {
    super(kind);
    this.kind = kind;
    this.detail = detail;
  }
}

/**
 * Returns an answer, or undefined if GitHub reports `not-found`.
 * @throws {GitHubError} of any other kind
 */
export async function unlessNotFound<T>(
  answer: Promise<T>,
): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof GitHubError && error.kind === "not-found")
      return undefined;
    throw error;
  }
}
