import { TransferError } from "./errors.js";

/** A `fetch` for Octokit. */
export type Fetch = (
  url: string,
  init: RequestInit,
) => Promise<
  Pick<Response, "status" | "statusText" | "url" | "headers"> & {
    /** The value that Octokit returns as the answer's data. */
    readonly body: unknown;
    text(): Promise<string>;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
>;

/**
 * Returns a `fetch` that checks that the body is complete and has its declared type. Octokit reads the body itself, and
 * treats one that was cut or isn't JSON as an empty or text answer: half a list would pass for a list.
 * @param timeout for one attempt, from the first byte sent to the last byte read, in milliseconds
 * @param heard is called for each answer
 * @throws {TransferError}, never with the request's headers in it
 */
export function wholeFetch(
  timeout: number,
  onAnswer: (status: number, headers: Headers) => void = () => undefined,
): Fetch {
  return async (url, init) => {
    const limit = AbortSignal.timeout(timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    let response: Response;
    let body: ArrayBuffer;
    try {
      response = await fetch(url, { ...init, signal });
      onAnswer(response.status, response.headers);
      body = await response.arrayBuffer();
    } catch (error) {
      // An abort by the caller isn't a connection failure.
      if (init.signal?.aborted) throw error;
      if (limit.aborted) throw new TransferError("timeout");
      throw new TransferError("connection", connectionCode(error));
    }
    if (response.ok) checkBody(response, body);
    return {
      status: response.status,
      statusText: response.statusText,
      url: response.url,
      headers: response.headers,
      // Returns a new value each time, because callers of Octokit modify the lists that they read.
      get body() {
        return dataOf(response, body);
      },
      text: () => Promise.resolve(new TextDecoder().decode(body)),
      arrayBuffer: () => Promise.resolve(body),
    };
  };
}

/**
 * Returns the data of an answer as Octokit does (`getResponseData` in @octokit/request), but parses JSON with
 * `JSON.parse`. Octokit also supports numbers of more than 53 bits, which GitHub doesn't have, and takes eight times as
 * long.
 */
function dataOf({ headers }: Response, body: ArrayBuffer): unknown {
  const type = headers.get("content-type") ?? "text/plain";
  const isText =
    type.startsWith("text/") ||
    (/;\s*charset="?utf-8/i.test(type) &&
      !type.startsWith("application/octet-stream"));
  const isJson = /^application\/(scim\+)?json\b/.test(type);
  if (!isText && !isJson) return body;
  const text = new TextDecoder().decode(body);
  return isJson ? (JSON.parse(text) as unknown) : text;
}

function checkBody(response: Response, body: ArrayBuffer): void {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/html"))
    throw new TransferError("broken-answer", "a web page instead of data");
  if (!/^application\/(\S+\+)?json\b/.test(type)) return;
  try {
    JSON.parse(new TextDecoder().decode(body));
  } catch {
    throw new TransferError("broken-answer", "not JSON");
  }
}

/** Returns the system's code (`ECONNRESET`), which is in the cause of fetch's error, or in the cause's cause. */
function connectionCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? connectionCode(error.cause) : undefined;
}
