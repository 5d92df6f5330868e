import type { PassedUnit } from "@skein/runner";

/**
 * Returns why a unit that passed is not kept, whatever its inputs; undefined where it may be. Pure. Units that failed, were
 * cancelled or timed out never come here: `PassedUnit` is exit code 0.
 */
export function keepRefusal({
  leftBehind,
  replayed,
}: Pick<PassedUnit, "leftBehind" | "replayed">): string | undefined {
  if (leftBehind) return "processes that it left running were ended";
  return replayed ? "it did not run" : undefined;
}

/** Returns whether a result is too old to be used. Pure. A time in the future is another clock's, and too old. */
export function isExpired(
  at: number,
  now: number,
  maxAgeSeconds: number | undefined,
): boolean {
  return (
    maxAgeSeconds !== undefined && Math.abs(now - at) > maxAgeSeconds * 1000
  );
}
