import { TransferError } from "./errors.js";

/** A `fetch` for Octokit. */
export type Fetch = (
  url: string,
  init: RequestInit,
) => Promise<
  Pick<Response, "status" | "statusText" | "url" | "headers"> & {
    /** What Octokit is to give as the answer's data. */
    readonly body: unknown;
    text(): Promise<string>;
    arrayBuffer(): Promise<ArrayBuffer>;
  }
>;

/**
 * A `fetch` that answers only when the whole body is there and is what it says it is. Octokit reads the body itself and
 * takes one that was cut, or is no JSON, for an empty or a text answer: half a list would pass for a list.
 * @param timeout milliseconds for one attempt, from the first byte sent to the last byte read
 * @param heard told of each answer
 * @throws {TransferError}, never with the request's headers in it
 */
export function wholeFetch(
  timeout: number,
  heard: (status: number, headers: Headers) => void = () => undefined,
): Fetch {
  return async (url, init) => {
    const limit = AbortSignal.timeout(timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    let response: Response;
    let body: ArrayBuffer;
    try {
      response = await fetch(url, { ...init, signal });
      heard(response.status, response.headers);
      body = await response.arrayBuffer();
    } catch (error) {
      // The caller's own signal is no failure of the connection.
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
      // A new value each time: whoever reads a list of Octokit's changes it.
      get body() {
        return dataOf(response, body);
      },
      text: () => Promise.resolve(new TextDecoder().decode(body)),
      arrayBuffer: () => Promise.resolve(body),
    };
  };
}

/**
 * The data of an answer as Octokit's own reading gives it (`getResponseData` in @octokit/request), but JSON by `JSON.parse`: for numbers
 * of more than 53 bits, which GitHub has none of, Octokit takes eight times as long.
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

/** The system's code (`ECONNRESET`) is in the cause of fetch's error, or in the cause's cause. */
function connectionCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? connectionCode(error.cause) : undefined;
}
