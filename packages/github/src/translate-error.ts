import { GitHubError, TransferError, type GitHubErrorKind } from "./errors.js";

/** The fields of Octokit's own error that are used here. */
interface OctokitError {
  readonly status: number;
  readonly cause?: unknown;
  readonly request: { readonly method: string; readonly url: string };
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>;
  };
}

/** Converts an error of Octokit to a {@link GitHubError}. Any other error is a bug, and is returned unchanged. */
export function translateError(error: unknown): unknown {
  if (!isOctokitError(error)) return error;
  const url = new URL(error.request.url);
  const place = {
    request: `${error.request.method} ${url.pathname}`,
    host: url.host,
  };
  if (error.cause instanceof TransferError) {
    const { kind, detail } = error.cause;
    return new GitHubError({ ...place, kind, detail });
  }
  const headers = error.response?.headers ?? {};
  const text = (name: string) => headers[name]?.toString();
  const number = (name: string) =>
    headers[name] === undefined ? undefined : Number(headers[name]);
  return new GitHubError({
    ...place,
    kind: kindOf(error.status, text),
    status: error.status,
    retryAfter: number("retry-after"),
    resetAt: number("x-ratelimit-reset"),
    acceptedPermissions: text("x-accepted-github-permissions"),
  });
}

function isOctokitError(error: unknown): error is OctokitError {
  return (
    error instanceof Error &&
    "status" in error &&
    "request" in error &&
    typeof error.status === "number"
  );
}

/** @see https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#exceeding-the-rate-limit */
function kindOf(
  status: number,
  header: (name: string) => string | undefined,
): GitHubErrorKind {
  switch (status) {
    case 401:
      return "unauthorized";
    case 403:
    case 429:
      if (header("retry-after") !== undefined) return "secondary-limit";
      if (header("x-ratelimit-remaining") === "0") return "rate-limit";
      return status === 429 ? "secondary-limit" : "forbidden";
    case 404:
    case 410:
    case 451:
      return "not-found";
    default:
      return status >= 500 ? "server" : "refused";
  }
}
