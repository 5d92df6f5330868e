import { printable, some } from "@skein/reporting";
import type { MemoryReport } from "@skein/result-cache";

/**
 * Returns what a run could not cache or replay, with a line for each reason; "" if there is nothing to report.
 * @param unknown units without a fingerprint
 * @param problem why the server was not used; undefined if it was, or if none is configured
 */
export function memoryWords(
  { notKept, notRestored, damaged, failure }: Omit<MemoryReport, "kept">,
  unknown: readonly string[],
  problem: string | undefined,
): string {
  const lines = [
    ...(unknown.length === 0
      ? []
      : [`not stored: ${some(unknown)}: not all of their inputs are known`]),
    ...grouped(notKept, (ids, why) => `not stored: ${ids}: ${why}`),
    ...grouped(notRestored, (ids, why) => `not replayed: ${ids}: ${why}`),
    ...(damaged.length === 0
      ? []
      : [
          `not replayed: ${some(damaged)}: the stored ${damaged.length === 1 ? "result is" : "results are"} damaged`,
        ]),
    ...(failure === undefined
      ? []
      : [`results could not be stored: ${printable(failure)}`]),
    ...(problem === undefined
      ? []
      : [`the server of SKEIN_CACHE_URL was not used: ${problem}`]),
  ];
  return lines.map((line) => `cache: ${line}\n`).join("");
}

function grouped(
  reasons: ReadonlyMap<string, string>,
  words: (ids: string, why: string) => string,
): string[] {
  const byReason = new Map<string, string[]>();
  for (const [id, why] of reasons)
    byReason.set(why, [...(byReason.get(why) ?? []), id]);
  return [...byReason].map(([why, ids]) => words(some(ids), printable(why)));
}
