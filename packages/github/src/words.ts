import type {
  GitHubError,
  GitHubErrorData,
  GitHubErrorKind,
} from "./errors.js";

/** The message and hint for an error. */
export interface ErrorWords {
  /** One sentence. */
  readonly sentence: string;
  readonly hint: string;
}

const TOKEN_HINT =
  "set GITHUB_TOKEN to a token that may read this repository (in Actions: `permissions:` of the job)";

const words: Record<GitHubErrorKind, (data: GitHubErrorData) => ErrorWords> = {
  unauthorized: ({ host, request }) => ({
    sentence: `${host} does not accept the token (401 to ${request})`,
    hint: "the token in GITHUB_TOKEN is expired, revoked, or for another server; make a new one",
  }),
  forbidden: ({ host, request, acceptedPermissions }) => ({
    sentence: `${host} does not permit this with the token (403 to ${request})`,
    hint:
      acceptedPermissions === undefined
        ? TOKEN_HINT
        : `the token needs one of these permissions: ${acceptedPermissions}`,
  }),
  "rate-limit": ({ host, request, resetAt }) => ({
    sentence: `all requests that ${host} allows in this hour are used up (${request})`,
    hint:
      resetAt === undefined
        ? "try again in an hour, or set GITHUB_TOKEN: without a token GitHub allows 60 requests an hour"
        : `try again after ${new Date(resetAt * 1000).toISOString()}, or set GITHUB_TOKEN: without a token GitHub allows 60 requests an hour`,
  }),
  "secondary-limit": ({ host, request, status, retryAfter }) => ({
    sentence: `${host} is slowing us down: too many requests at once (${status ?? 403} to ${request})`,
    hint: `try again in ${retryAfter ?? 60} seconds, with fewer jobs at the same time`,
  }),
  "not-found": ({ host, request, status }) => ({
    sentence: `${host} found nothing (${status ?? 404} to ${request})`,
    hint: `check owner, name and number; GitHub also answers this if the token may not read it: ${TOKEN_HINT}`,
  }),
  refused: ({ host, request, status }) => ({
    sentence: `${host} refused the request (${status ?? 400} to ${request})`,
    hint: "an older GitHub Enterprise Server may not know this operation; please report it with its version",
  }),
  server: ({ host, request, status }) => ({
    sentence: `${host} failed each time (${status ?? 500} to ${request})`,
    hint: "see https://www.githubstatus.com and try again later",
  }),
  timeout: ({ host, request }) => ({
    sentence: `${host} never answered in time (${request})`,
    hint: "check the network and https://www.githubstatus.com, and try again later",
  }),
  connection: ({ host, request, detail }) => ({
    sentence: `the connection to ${host} failed${detail === undefined ? "" : ` (${detail})`} (${request})`,
    hint: "check the network, and GITHUB_API_URL where it is set",
  }),
  "broken-answer": ({ host, request, detail }) => ({
    sentence: `${host} sent an answer that cannot be read (${request})${detail === undefined ? "" : `: ${detail}`}`,
    hint: "a proxy may have changed it; try again, and check GITHUB_API_URL where it is set",
  }),
};

/** Returns the sentence and the hint for an error of this package. */
export function explainGitHubError({ data }: GitHubError): ErrorWords {
  return words[data.kind](data);
}
