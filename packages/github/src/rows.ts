import { openClient, type GitHubOptions } from "./client.js";
import { GitHubError } from "./errors.js";
import type { RepositoryName } from "./repository-name.js";

/**
 * The answers of GitHub's APIs, unchanged, for callers that store them. Rows are JSON from others, and nothing here
 * interprets them.
 * Every method throws {@link GitHubError}, after the retries and waits that could have helped.
 */
export interface Rows {
  /**
   * Reads a list, or one object, below a repository.
   * @param path `/actions/runs`
   * @param etag of an earlier answer to the same request; GitHub doesn't count the request if nothing has changed since
   */
  get(
    repository: RepositoryName,
    path: string,
    query: Query,
    etag?: string,
  ): Promise<Answer>;
  /**
   * Sends a query to the GraphQL API. Objects that were deleted, or that this token cannot see, are null in the answer.
   * @returns its `data`
   */
  graphql(query: string, variables: Record<string, unknown>): Promise<unknown>;
}

export type Query = Readonly<Record<string, string | number>>;

export type Answer =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "new";
      readonly body: unknown;
      /** Undefined if the server sends none. */
      readonly etag: string | undefined;
      /** The parameters of the next page; undefined after the last. */
      readonly next: Query | undefined;
    };

/** Opens GitHub for reading only. It sends no request until a method is called. */
export function openRows(options: Omit<GitHubOptions, "onlyReads">): Rows {
  const client = openClient({ ...options, onlyReads: true });
  return {
    async get({ owner, name }, path, query, etag) {
      try {
        return await client.ask(async (octokit) => {
          const response: OctokitResponse = await octokit.request(
            `GET /repos/{owner}/{repo}${path}`,
            {
              owner,
              repo: name,
              ...query,
              ...(etag !== undefined && { headers: { "if-none-match": etag } }),
            },
          );
          const answer: Answer = {
            kind: "new",
            body: response.data,
            etag: response.headers.etag,
            next: nextOf(response.headers.link),
          };
          return { data: answer };
        });
      } catch (error) {
        if (error instanceof GitHubError && error.data.status === 304)
          return { kind: "unchanged" };
        throw error;
      }
    },
    graphql: (query, variables) =>
      client.ask(async (octokit) => {
        try {
          return { data: await octokit.graphql(query, variables) };
        } catch (error) {
          return { data: whatIsThere(error) };
        }
      }),
  };
}

interface OctokitResponse {
  readonly data: unknown;
  readonly headers: {
    readonly etag?: string | undefined;
    readonly link?: string | undefined;
  };
}

/**
 * Returns the query parameters of a link to the next page.
 * @see https://docs.github.com/rest/using-the-rest-api/using-pagination-in-the-rest-api
 */
function nextOf(link: string | undefined): Query | undefined {
  const [, url] = /<([^>]+)>;\s*rel="next"/.exec(link ?? "") ?? [];
  return url !== undefined && URL.canParse(url)
    ? Object.fromEntries(new URL(url).searchParams)
    : undefined;
}

/** The error that Octokit throws for an answer that contains errors. */
interface PartialAnswer {
  readonly data?: unknown;
  readonly errors?: readonly {
    readonly type?: string;
    readonly message?: string;
  }[];
  readonly headers?: Readonly<Record<string, string | number | undefined>>;
  readonly response?: {
    readonly headers: Readonly<Record<string, string | number | undefined>>;
    readonly data?: PartialAnswer;
  };
}

/**
 * Returns the data of an answer whose errors are all `NOT_FOUND`.
 * @throws {GitHubError} for any other error in an answer; rethrows an error without an answer
 */
function whatIsThere(error: unknown): unknown {
  const { data, errors, response, headers } = error as PartialAnswer;
  const all = errors ?? response?.data?.errors;
  if (!all) throw error;
  if (
    data !== undefined &&
    data !== null &&
    all.every(({ type }) => type === "NOT_FOUND")
  )
    return data;
  const limited = all.some(({ type }) => type === "RATE_LIMITED");
  const reset = (headers ?? response?.headers)?.["x-ratelimit-reset"];
  throw new GitHubError({
    kind: limited
      ? "rate-limit"
      : all.some(({ type }) => type === "NOT_FOUND" || type === "FORBIDDEN")
        ? "not-found"
        : "broken-answer",
    request: "POST /graphql",
    host: "GitHub",
    detail: all[0]?.message,
    ...(reset !== undefined && { resetAt: Number(reset) }),
  });
}
