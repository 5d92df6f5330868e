import type { PassedUnit } from "@skein/runner";

/**
 * Returns why a unit that passed can't be cached, whatever its inputs; undefined if it can. Pure. Units that failed,
 * were cancelled or timed out never get here, because `PassedUnit` has exit code 0.
 */
export function keepRefusal({
  leftBehind,
  replayed,
}: Pick<PassedUnit, "leftBehind" | "replayed">): string | undefined {
  if (leftBehind) return "processes that it left running were ended";
  return replayed ? "it did not run" : undefined;
}

/**
 * Returns whether a result is too old to be used. Pure. A time that is as far in the future comes from another clock,
 * and counts as too old.
 */
export function isExpired(
  at: number,
  now: number,
  maxAgeSeconds: number | undefined,
): boolean {
  return (
    maxAgeSeconds !== undefined && Math.abs(now - at) > maxAgeSeconds * 1000
  );
}
