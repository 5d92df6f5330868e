import type { Octokit } from "@octokit/rest";
import { GitHubError } from "./errors.js";
import { translateError } from "./translate-error.js";
import { conditionalFetch } from "./conditional-fetch.js";
import { wholeFetch } from "./whole-fetch.js";

export interface GitHubOptions {
  /** Without one GitHub answers for public repositories, 60 times an hour. */
  readonly token?: string | undefined;
  /** `GITHUB_API_URL`; a GitHub Enterprise Server's ends in `/api/v3`. Default: https://api.github.com */
  readonly baseUrl?: string | undefined;
  /** Who asks; GitHub wants to know. Default: `skein`. */
  readonly userAgent?: string;
  /** Told, in one line, about each wait for a rate limit. */
  readonly log?: (line: string) => void;
  /** Milliseconds for one attempt of one request. Default: 30,000. */
  readonly timeout?: number;
  /** Further attempts after a failure that may pass. Default: 3. */
  readonly retries?: number;
  /** Longest wait for a rate limit, in seconds; beyond it the request fails at once. Default: 120. */
  readonly longestWait?: number;
  /** Told of every answer, those before a further attempt too. */
  readonly observe?: (usage: Usage) => void;
  /** Nothing is written, so that questions which travel as a POST need no pause between them. */
  readonly onlyReads?: boolean;
  /** How long one second of waiting lasts, in milliseconds: tests have no time. Default: 1,000. */
  readonly second?: number;
}

/** What an answer says of the requests that are left. */
export interface Usage {
  /** 0 for an answer that nothing has changed: GitHub does not count it. */
  readonly cost: 0 | 1;
  /** GitHub counts some kinds apart: `core`, `graphql`. */
  readonly resource: string;
  /** Undefined where the server tells nothing, as an Enterprise Server without limits. */
  readonly remaining: number | undefined;
  /** Seconds since 1970. */
  readonly resetAt: number | undefined;
}

/** The way to Octokit for the files of this package that know a resource. */
export interface Client {
  /**
   * Makes one call, with retries and waits, and gives its data.
   * @throws {GitHubError}
   */
  ask<T>(call: (octokit: Octokit) => Promise<{ readonly data: T }>): Promise<T>;
  /**
   * Goes through all pages of a list, 100 items each, by page number until GitHub links to no further one.
   * @param call asks for one page
   * @param items the items of one page
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

/** Makes a client. Octokit itself is loaded with the first request. */
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
      // Not Octokit's own iterator: that takes a 409, and an answer without data, for an empty page.
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

/** The error for an answer that is JSON, but lacks something that GitHub documents. */
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
      // The fetch gives the data itself.
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
      // 429 is the throttling plugin's: this one would ask again at once, whatever `retry-after` says.
      doNotRetry: [400, 401, 403, 404, 409, 410, 422, 429, 451],
    },
    throttle: {
      // The plugin lets one POST through in a second, which is right for those that write.
      ...(onlyReads && { write: AT_ONCE }),
      retryAfterBaseValue: second,
      ...(second < 1000 && { write: AT_ONCE, notifications: AT_ONCE }),
      onRateLimit: wait("rate limit"),
      onSecondaryRateLimit: wait("secondary rate limit"),
    },
  });
}

/** Stands in for the plugin's spacing of writes, which start a second apart whatever `second` is: all of it that is used. */
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

/** What the two plugins lack. Comes first, so that it sees each attempt before they do. */
function ownRules(octokit: {
  readonly hook: Octokit["hook"];
}): Record<string, never> {
  octokit.hook.before("request", (options) => {
    // A write whose answer got lost may have been done: repeating it could start a workflow twice.
    const reads =
      options.method === "GET" ||
      options.method === "HEAD" ||
      // All our GraphQL is questions.
      options.url.endsWith("/graphql");
    if (!reads)
      // A new object: the one that is there belongs to all requests, and reads would lose their retries too.
      options.request = { ...options.request, retries: 0 };
  });
  octokit.hook.error("request", (error) => {
    // The throttling plugin knows a secondary limit by its words alone; status and header say it too.
    if ("status" in error && isSecondaryLimit(error))
      error.message = `secondary rate limit: ${error.message}`;
    throw error;
  });
  return {};
}

function isSecondaryLimit(error: {
  status: number;
  response?:
    { headers: Record<string, string | number | undefined> } | undefined;
}): boolean {
  const headers = error.response?.headers ?? {};
  if (error.status !== 403 && error.status !== 429) return false;
  if (headers["retry-after"] !== undefined) return true;
  return error.status === 429 && headers["x-ratelimit-remaining"] !== "0";
}
