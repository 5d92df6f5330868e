import { GitHubError } from "@skein/github";

/**
 * Requests this many items at once, and half as many if GitHub fails: GitHub aborts a query after ten seconds, with a
 * 502 or no answer at all.
 * @throws {GitHubError} if GitHub also fails for a single item
 */
export async function inBatches<T>(
  size: number,
  ask: (size: number) => Promise<T>,
): Promise<T> {
  try {
    return await ask(size);
  } catch (error) {
    if (size === 1 || !isTooMuch(error)) throw error;
    return inBatches(Math.floor(size / 2), ask);
  }
}

/** Requests a list of items. If GitHub fails, it requests both halves, as `inBatches` does. */
export async function inHalves<T, Answer>(
  things: readonly T[],
  ask: (things: readonly T[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  try {
    return await ask(things);
  } catch (error) {
    if (things.length === 1 || !isTooMuch(error)) throw error;
    const half = Math.ceil(things.length / 2);
    return [
      ...(await inHalves(things.slice(0, half), ask)),
      ...(await inHalves(things.slice(half), ask)),
    ];
  }
}

function isTooMuch(error: unknown): boolean {
  return (
    error instanceof GitHubError &&
    ["server", "timeout", "broken-answer"].includes(error.kind)
  );
}
