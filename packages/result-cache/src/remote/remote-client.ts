import { request as requestPlain } from "node:http";
import type { IncomingMessage, RequestOptions } from "node:http";
import { request as requestTls } from "node:https";
import type { RemoteSettings } from "./remote-settings.js";

/** The maximum size of an artifact in bytes: servers reject larger ones by default. */
export const LARGEST_ARTIFACT = 100 * 10 ** 6;

/** A client of a server. After the first failed request, it makes no other. */
export class RemoteClient {
  readonly #settings: RemoteSettings;
  readonly #now: () => number;
  readonly #budgetMs: number;
  #left: number;
  #failure: string | undefined;

  /**
   * @param now returns the time in milliseconds
   * @param budgetMs milliseconds for all requests together
   */
  constructor(settings: RemoteSettings, now: () => number, budgetMs: number) {
    this.#settings = settings;
    this.#now = now;
    this.#budgetMs = budgetMs;
    this.#left = budgetMs;
  }

  /** Why the server isn't used any more: one sentence, without secrets. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Fetches artifacts in parallel. @returns the bytes of each, or undefined if it doesn't exist */
  async get(ids: readonly string[]): Promise<(Buffer | undefined)[]> {
    return this.#within(
      (signal) => Promise.all(ids.map((id) => this.#getOne(id, signal))),
      ids.map(() => undefined),
    );
  }

  /** Stores artifacts in parallel. @returns whether all of them are stored */
  async put(
    artifacts: readonly { readonly id: string; readonly bytes: Buffer }[],
  ): Promise<boolean> {
    return this.#within(async (signal) => {
      await Promise.all(artifacts.map((each) => this.#putOne(each, signal)));
      return true;
    }, false);
  }

  async #within<T>(
    work: (signal: AbortSignal) => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    if (this.#failure !== undefined) return otherwise;
    const start = this.#now();
    const signal = AbortSignal.timeout(Math.max(1, Math.round(this.#left)));
    try {
      return await work(signal);
    } catch (error) {
      this.#failure ??= signal.aborted
        ? `it took more than ${this.#budgetMs / 1000} s`
        : reasonOf(error);
      return otherwise;
    } finally {
      this.#left -= this.#now() - start;
    }
  }

  async #getOne(id: string, signal: AbortSignal): Promise<Buffer | undefined> {
    const response = await this.#ask(id, { method: "GET", signal });
    if (response.statusCode === 404) {
      response.resume();
      return undefined;
    }
    assertOk(response);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response) {
      length += (chunk as Buffer).length;
      if (length > LARGEST_ARTIFACT)
        throw new ServerError("it sent more than it was given");
      chunks.push(chunk as Buffer);
    }
    return Buffer.concat(chunks);
  }

  async #putOne(
    { id, bytes }: { readonly id: string; readonly bytes: Buffer },
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#ask(id, {
      ...{ method: "PUT", signal, body: bytes },
      headers: {
        "Content-Type": "application/octet-stream",
        "Content-Length": `${bytes.length}`,
        "x-artifact-duration": "0",
        // A server with its own key returns only artifacts that have a tag. Our signature is inside the artifact.
        "x-artifact-tag": "skein",
      },
    });
    assertOk(response);
    response.resume();
  }

  #ask(id: string, asking: Asking): Promise<IncomingMessage> {
    const { url, team, token } = this.#settings;
    const query = new URLSearchParams(
      team.startsWith("team_") ? { teamId: team } : { slug: team },
    );
    return ask(new URL(`${url}/v8/artifacts/${id}?${query.toString()}`), {
      ...asking,
      headers: {
        ...asking.headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
    });
  }
}

interface Asking {
  readonly method: "GET" | "PUT";
  readonly signal: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

/** The maximum number of redirects to follow. */
const MOST_REDIRECTS = 5;

/**
 * Sends a request with Node's own client: loading `fetch` takes longer than all requests of a run. It follows redirects;
 * no other server gets the token.
 */
async function ask(
  url: URL,
  asking: Asking,
  left = MOST_REDIRECTS,
): Promise<IncomingMessage> {
  const response = await send(url, asking);
  const { location } = response.headers;
  const isRedirect = [301, 302, 303, 307, 308].includes(
    response.statusCode ?? 0,
  );
  if (!isRedirect || location === undefined) return response;
  response.resume();
  if (left === 0 || !URL.canParse(location, url.href))
    throw new ServerError("it redirects to nowhere");
  const next = new URL(location, url);
  if (!/^https?:$/.test(next.protocol))
    throw new ServerError("it redirects to nowhere");
  const headers = Object.fromEntries(
    Object.entries(asking.headers ?? {}).filter(
      ([name]) => next.origin === url.origin || name !== "Authorization",
    ),
  );
  return ask(next, { ...asking, headers }, left - 1);
}

function send(
  url: URL,
  { method, signal, headers = {}, body }: Asking,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === "https:" ? requestTls : requestPlain;
    const start = (more: RequestOptions) => {
      const request = open(url, { method, signal, headers, ...more }, resolve);
      request.on("error", (error: NodeJS.ErrnoException) => {
        // The server may close a connection that is reused just when the request is sent.
        if (request.reusedSocket && error.code === "ECONNRESET")
          start({ agent: false });
        else reject(error);
      });
      request.end(body);
    };
    start({});
  });
}

class ServerError extends Error {}

function assertOk(response: IncomingMessage): void {
  const { statusCode = 0 } = response;
  if (statusCode >= 200 && statusCode < 300) return;
  response.resume();
  throw new ServerError(`it answered ${statusCode}`);
}

/** Returns the reason in our own words, because other messages may contain anything. */
function reasonOf(error: unknown): string {
  if (error instanceof ServerError) return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^\w+$/.test(code)
    ? `no answer (${code})`
    : "no answer";
}
