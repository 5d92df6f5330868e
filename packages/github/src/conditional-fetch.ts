import type { Fetch } from "./whole-fetch.js";

/** The maximum size of cached answers, in bytes. The oldest are evicted first. */
const MOST_BYTES = 32 * 1024 * 1024;

interface Kept {
  readonly etag: string;
  readonly bytes: number;
  readonly answer: Awaited<ReturnType<Fetch>>;
}

/**
 * Returns a `fetch` that caches answers and revalidates them with each request. GitHub doesn't count the answer "not
 * modified" towards the hourly limit.
 * @param fetch returns complete answers that can be read more than once
 * @see
 *   https://docs.github.com/rest/using-the-rest-api/best-practices-for-using-the-rest-api#use-conditional-requests-if-appropriate
 */
export function conditionalFetch(fetch: Fetch): Fetch {
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const forget = (url: string) => {
    bytes -= kept.get(url)?.bytes ?? 0;
    kept.delete(url);
  };
  return async (url, init) => {
    if ((init.method ?? "GET") !== "GET") return fetch(url, init);
    const known = kept.get(url);
    const headers = new Headers(init.headers);
    if (known) headers.set("if-none-match", known.etag);
    const answer = await fetch(url, { ...init, headers });
    if (answer.status === 304 && known) return known.answer;
    const etag = answer.headers.get("etag");
    const type = answer.headers.get("content-type") ?? "";
    forget(url);
    if (answer.status !== 200 || etag === null || !type.includes("json"))
      return answer;
    const { byteLength } = await answer.arrayBuffer();
    kept.set(url, { etag, bytes: byteLength, answer });
    bytes += byteLength;
    for (const oldest of kept.keys()) {
      if (bytes <= MOST_BYTES) break;
      forget(oldest);
    }
    return answer;
  };
}
