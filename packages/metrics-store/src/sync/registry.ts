import { setTimeout as sleep } from "node:timers/promises";

/** The part of npm's registry that a sync needs. */
export interface Registry {
  /**
   * Reads a package's whole document.
   * @param registry its URL
   * @param etag of an earlier answer to the same request
   * @throws {RegistryError} after the retries that could have helped
   */
  read(registry: string, name: string, etag?: string): Promise<Answer>;
}

export type Answer =
  | { readonly kind: "unchanged" }
  /** The registry doesn't have the package. */
  | { readonly kind: "missing" }
  | {
      readonly kind: "new";
      readonly body: unknown;
      readonly etag: string | undefined;
    };

/** An error for a registry without a valid answer. The message continues a sentence that starts with its host. */
export class RegistryError extends Error {
  override readonly name = "RegistryError";
}

const ATTEMPTS = 3;
const LONGEST_WAIT_S = 60;
/** The maximum size of an answer in bytes. The largest on npm have about 30 MB. */
const LARGEST = 64 * 2 ** 20;

export interface RegistryOptions {
  /** The timeout of one attempt, from the first byte to the last, in milliseconds. Default: 60,000. */
  readonly timeout?: number;
  /** The duration of a second of waiting, in milliseconds. Tests shorten it. Default: 1,000. */
  readonly second?: number;
  readonly signal?: AbortSignal;
}

/** Opens registries for anonymous reading. It never sends a token. */
export function openRegistry({
  timeout = 60_000,
  second = 1000,
  signal,
}: RegistryOptions = {}): Registry {
  return {
    async read(registry, name, etag) {
      const url = `${registry}/${name.replace("/", "%2F")}`;
      for (let attempt = 1; ; attempt++) {
        const limit = AbortSignal.timeout(timeout);
        const answer = await ask(url, etag, [
          limit,
          ...(signal ? [signal] : []),
        ]);
        if (!("failed" in answer)) return answer;
        if (!answer.mayPass || attempt === ATTEMPTS || signal?.aborted)
          throw new RegistryError(answer.failed);
        const wait = Math.min(
          answer.retryAfter ?? 2 ** attempt,
          LONGEST_WAIT_S,
        );
        await sleep(wait * second, undefined, { signal }).catch(
          () => undefined,
        );
      }
    },
  };
}

interface Failed {
  readonly failed: string;
  /** Whether a retry may help. */
  readonly mayPass: boolean;
  /** In seconds. */
  readonly retryAfter?: number;
}

async function ask(
  url: string,
  etag: string | undefined,
  signals: readonly AbortSignal[],
): Promise<Answer | Failed> {
  try {
    const response = await fetch(url, {
      headers: {
        accept: "application/json",
        ...(etag !== undefined && { "if-none-match": etag }),
      },
      // Redirects are not followed, because they may lead to hosts that aren't in the settings.
      redirect: "error",
      signal: AbortSignal.any([...signals]),
    });
    const { status, headers } = response;
    if (status === 304 && etag !== undefined) return { kind: "unchanged" };
    if (status === 404) return { kind: "missing" };
    if (status !== 200)
      return {
        failed: `answers ${status}`,
        mayPass: status === 429 || status >= 500,
        ...(headers.has("retry-after") && {
          retryAfter: Number(headers.get("retry-after")) || 1,
        }),
      };
    const text = await bounded(response);
    if (text === undefined)
      return {
        failed: `sends more than ${LARGEST / 2 ** 20} MB`,
        mayPass: false,
      };
    return {
      kind: "new",
      body: JSON.parse(text) as unknown,
      etag: headers.get("etag") ?? undefined,
    };
  } catch (error) {
    if (error instanceof SyntaxError)
      return { failed: "doesn't answer with JSON", mayPass: true };
    const isLate = signals[0]?.aborted ?? false;
    return {
      failed: isLate ? "does not answer in time" : "cannot be reached",
      mayPass: true,
    };
  }
}

/** Returns the body's text; undefined if it is too large after decompression. The rest of it is then not read. */
async function bounded({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += (chunk as Uint8Array).length;
    if (size > LARGEST) return undefined;
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks).toString("utf8");
}
