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
    const response = await this.#fetch(id, { method: "GET", signal }, {});
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    await assertOk(response);
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of response.body ?? []) {
      length += (chunk as Uint8Array).length;
      if (length > LARGEST_ARTIFACT)
        throw new ServerError("it sent more than it was given");
      chunks.push(chunk as Uint8Array);
    }
    return Buffer.concat(chunks);
  }

  async #putOne(
    { id, bytes }: { readonly id: string; readonly bytes: Buffer },
    signal: AbortSignal,
  ): Promise<void> {
    const response = await this.#fetch(
      id,
      { method: "PUT", signal, body: new Uint8Array(bytes) },
      {
        "Content-Type": "application/octet-stream",
        "x-artifact-duration": "0",
        // A server with its own key returns only artifacts that have a tag. Our signature is inside the artifact.
        "x-artifact-tag": "skein",
      },
    );
    await assertOk(response);
    await response.body?.cancel();
  }

  #fetch(
    id: string,
    init: RequestInit,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    const { url, team, token } = this.#settings;
    const query = new URLSearchParams(
      team.startsWith("team_") ? { teamId: team } : { slug: team },
    );
    return fetch(`${url}/v8/artifacts/${id}?${query.toString()}`, {
      ...init,
      headers: {
        ...headers,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      },
    });
  }
}

class ServerError extends Error {}

async function assertOk(response: Response): Promise<void> {
  if (response.ok) return;
  await response.body?.cancel();
  throw new ServerError(`it answered ${response.status}`);
}

/** Returns the reason in our own words, because other messages may contain anything. */
function reasonOf(error: unknown): string {
  if (error instanceof ServerError) return error.message;
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return typeof cause?.code === "string" && /^\w+$/.test(cause.code)
    ? `no answer (${cause.code})`
    : "no answer";
}
