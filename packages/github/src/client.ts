import type { Octokit } from "@octokit/rest";
import { GitHubError } from "./errors.js";
import { translateError } from "./translate-error.js";
import { conditionalFetch } from "./conditional-fetch.js";
import { wholeFetch } from "./whole-fetch.js";

export interface GitHubOptions {
  /** Without a token, GitHub allows 60 requests per hour, for public repositories only. */
  readonly token?: string | undefined;
  /**
   * The value of `GITHUB_API_URL`. For a GitHub Enterprise Server it ends in `/api/v3`. Default: https://api.github.com
   */
  readonly baseUrl?: string | undefined;
  /** The name of the program, which GitHub requires. Default: `skein`. */
  readonly userAgent?: string;
  /** Receives one line for each wait for a rate limit. */
  readonly log?: (line: string) => void;
  /** The timeout of one attempt of a request, in milliseconds. Default: 30,000. */
  readonly timeout?: number;
  /** The number of retries after a temporary failure. Default: 3. */
  readonly retries?: number;
  /**
   * The longest wait for a rate limit, in seconds. If it would take longer, the request fails at once. Default: 120.
   */
  readonly longestWait?: number;
  /** Called for every answer, also for those that are followed by a retry. */
  readonly observe?: (usage: Usage) => void;
  /** Whether the client only reads. Then queries that are sent as POST need no pause between them. */
  readonly onlyReads?: boolean;
  /** The duration of a second of waiting, in milliseconds. Tests shorten it. Default: 1,000. */
  readonly second?: number;
}

/** The rate limit that an answer reports. */
export interface Usage {
  /** 0 for "not modified", which GitHub does not count. */
  readonly cost: 0 | 1;
  /** The kind of request; GitHub has separate limits for some: `core`, `graphql`. */
  readonly resource: string;
  /** Undefined if the server doesn't report it, such as an Enterprise Server without limits. */
  readonly remaining: number | undefined;
  /** In seconds since 1970. */
  readonly resetAt: number | undefined;
}

/** Access to Octokit for the modules of this package, each of which handles one resource. */
export interface Client {
  /**
   * Makes one call, with retries and waits, and returns its data.
   * @throws {GitHubError}
   */
  ask<T>(call: (octokit: Octokit) => Promise<{ readonly data: T }>): Promise<T>;
  /**
   * Yields all pages of a list, 100 items each, by page number until GitHub links to no further page.
   * @param call requests one page
   * @param items returns the items of a page
   * @throws {GitHubError}
   */
  pages<T, Item>(
    call: (
      octokit: Octokit,
      page: { readonly page: number; readonly per_page: number },
    ) => Promise<Page<T>>,
    items: (data: T) => readonly Item[],
  ): AsyncGenerator<readonly Item[], void, undefined>;
}

interface Page<T> {
  readonly data: T;
  readonly headers: { readonly link?: string | undefined };
}

/** Returns a client. It loads Octokit with the first request. */
export function openClient(options: GitHubOptions): Client {
  let octokit: Promise<Octokit> | undefined;
  async function call<T>(body: (octokit: Octokit) => Promise<T>): Promise<T> {
    octokit ??= makeOctokit(options);
    try {
      return await body(await octokit);
    } catch (error) {
      throw translateError(error);
    }
  }
  return {
    ask: async (body) => (await call(body)).data,
    async *pages(body, items) {
      // Octokit's own iterator isn't used: it treats a 409, or an answer without data, as an empty page.
      for (let page = 1; ; page++) {
        const { data, headers } = await call((found) =>
          body(found, { page, per_page: 100 }),
        );
        yield items(data);
        if (!/\brel="next"/.test(headers.link ?? "")) return;
      }
    },
  };
}

/** Returns the error for JSON that lacks something that GitHub documents. */
export function brokenAnswer(request: string, detail: string): GitHubError {
  return new GitHubError({
    kind: "broken-answer",
    request,
    host: "GitHub",
    detail,
  });
}

async function makeOctokit({
  token,
  baseUrl = "https://api.github.com",
  userAgent = "skein",
  log = () => undefined,
  timeout = 30_000,
  retries = 3,
  longestWait = 120,
  observe = () => undefined,
  onlyReads = false,
  second = 1000,
}: GitHubOptions): Promise<Octokit> {
  const [{ Octokit }, { retry }, { throttling }] = await Promise.all([
    import("@octokit/rest"),
    import("@octokit/plugin-retry"),
    import("@octokit/plugin-throttling"),
  ]);
  const fetch = wholeFetch(timeout, (status, headers) =>
    observe(usageOf(status, headers)),
  );
  const wait =
    (limit: string) =>
    (
      seconds: number,
      { method, url }: { method: string; url: string },
      _octokit: unknown,
      count: number,
    ): boolean => {
      const willing = count < retries && seconds <= longestWait;
      if (willing)
        log(
          `GitHub's ${limit} is reached; waiting ${seconds} s (${method} ${url})`,
        );
      return willing;
    };
  return new (Octokit.plugin(ownRules, retry, throttling))({
    ...(token !== undefined && token !== "" && { auth: token }),
    baseUrl: baseUrl.replace(/\/+$/, ""),
    userAgent,
    request: {
      fetch: onlyReads ? fetch : conditionalFetch(fetch),
      // Our fetch parses the body itself.
      parseSuccessResponseBody: false,
    },
    log: {
      debug: () => undefined,
      info: () => undefined,
      warn: (line: string) => log(line),
      error: () => undefined,
    },
    retry: {
      retries,
      retryAfterBaseValue: second,
      // The throttling plugin handles 429. The retry plugin would retry at once and ignore `retry-after`.
      doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451],
    },
    throttle: {
      // The plugin sends at most one POST per second, which is right only for writes.
      ...(onlyReads && { write: AT_ONCE }),
      retryAfterBaseValue: second,
      ...(second < 1000 && { write: AT_ONCE, notifications: AT_ONCE }),
      onRateLimit: wait("rate limit"),
      onSecondaryRateLimit: wait("secondary rate limit"),
    },
  });
}

/**
 * Replaces the plugin's limiter of writes, which spaces them a second apart whatever `second` is. It has only the
 * members that the plugin uses.
 */
const AT_ONCE = {
  key: () => ({
    schedule: (_: unknown, job: () => Promise<void>) => job(),
  }),
} as never;

function usageOf(status: number, headers: Headers): Usage {
  const number = (name: string) => {
    const value = headers.get(name);
    return value === null ? undefined : Number(value);
  };
  return {
    cost: status === 304 ? 0 : 1,
    resource: headers.get("x-ratelimit-resource") ?? "core",
    remaining: number("x-ratelimit-remaining"),
    resetAt: number("x-ratelimit-reset"),
  };
}

/** Adds rules that the two plugins lack. It is registered first, so that it handles each attempt before they do. */
function ownRules(octokit: {
  readonly hook: Octokit["hook"];
}): Record<string, never> {
  octokit.hook.before("request", (options) => {
    // If the answer to a write is lost, the write may have succeeded. A retry could start a workflow twice.
    const reads =
      options.method === "GET" ||
      options.method === "HEAD" ||
      // All our GraphQL requests are queries.
      options.url.endsWith("/graphql");
    if (!reads)
      // This needs a new object: all requests share the existing one, so reads would lose their retries too.
      options.request = { ...options.request, retries: 0 };
  });
  octokit.hook.error("request", (error) => {
    // The throttling plugin recognises a secondary limit only by its message. Status and headers identify it too.
    if ("status" in error && isSecondaryLimit(error))
      error.message = `secondary rate limit: ${error.message}`;
    throw error;
  });
  return {};
}

function isSecondaryLimit(error: {
  status: number;
  response?:
    | { headers: Record<string, string | number | undefined> }
    | undefined;
}): boolean {
  const headers = error.response?.headers ?? {};
  if (error.status !== 403 && error.status !== 429) return false;
  if (headers["retry-after"] !== undefined) return true;
  return error.status === 429 && headers["x-ratelimit-remaining"] !== "0";
}
