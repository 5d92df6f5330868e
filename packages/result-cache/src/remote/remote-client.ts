import { ServerError } from "./server.js";
import type { Artifact, Server } from "./server.js";

/** Limits the requests to a server: after the first failed one, or if time is up, it makes no other. */
export class RemoteClient {
  readonly #server: Server;
  readonly #now: () => number;
  readonly #budgetMs: number;
  #left: number;
  #failure: string | undefined;

  /**
   * @param now returns the time in milliseconds
   * @param budgetMs milliseconds for all requests together
   */
  constructor(server: Server, now: () => number, budgetMs: number) {
    this.#server = server;
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
      (signal) => Promise.all(ids.map((id) => this.#server.get(id, signal))),
      ids.map(() => undefined),
    );
  }

  /** Stores artifacts in parallel. @returns whether all of them are stored */
  async put(artifacts: readonly Artifact[]): Promise<boolean> {
    return this.#within(async (signal) => {
      await Promise.all(
        artifacts.map((each) => this.#server.put(each, signal)),
      );
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
}

/** Returns the reason in our own words, because other messages may contain anything. */
function reasonOf(error: unknown): string {
  if (error instanceof ServerError) return error.message;
  const { code } = error as { readonly code?: unknown };
  return typeof code === "string" && /^\w+$/.test(code)
    ? `no answer (${code})`
    : "no answer";
}
