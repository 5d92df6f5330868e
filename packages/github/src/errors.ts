/**
 * What went wrong, decided by status code and headers, never by the words of an answer:
 * - `unauthorized` 401: the token is not valid;
 * - `forbidden` 403: the token may not do this;
 * - `rate-limit` 403 or 429 with no requests left in the hour;
 * - `secondary-limit` 403 or 429 with `retry-after`, and any other 429: too much at once;
 * - `not-found` 404, 410, 451: not there, or not for this token's eyes;
 * - `refused`: every other 4xx, a request that GitHub does not understand;
 * - `server` 5xx; `timeout`: no whole answer in time; `connection`: cut, refused or no such host;
 * - `broken-answer`: an answer that is not the JSON it says it is, or lacks what it must have.
 *
 * Limits, `server`, `timeout`, `connection` and `broken-answer` are thrown only when retrying did not help.
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
  /** Undefined where no answer came. */
  readonly status?: number | undefined;
  /** `GET /repos/octo/app/pulls/7`; percent-encoded, without query, without host. */
  readonly request: string;
  /** Where the API is: `api.github.com`. */
  readonly host: string;
  /** Seconds that GitHub asked to wait. */
  readonly retryAfter?: number | undefined;
  /** When the hour's requests come back; seconds since 1970. */
  readonly resetAt?: number | undefined;
  /** The permissions that would have been enough, as GitHub lists them (`contents=read`). */
  readonly acceptedPermissions?: string | undefined;
  /** The system's code of a failed connection (`ECONNRESET`), or what was wrong with an answer. */
  readonly detail?: string | undefined;
  /** GitHub's own id of the request, for its support. */
  readonly requestId?: string | undefined;
}

/** GitHub could not be reached, or did not answer with what was asked. Holds neither the token nor any header. */
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

/** An answer that did not arrive, or not whole; thrown below Octokit, which takes it for a 500 and retries. */
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
