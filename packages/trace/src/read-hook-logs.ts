import type { TraceEvent } from "./event.js";

const KINDS: ReadonlySet<string> = new Set<TraceEvent["kind"]>([
  ...(["read", "write", "execute", "found", "missing"] as const),
  ...(["list", "link", "make", "remove", "connect"] as const),
]);

/**
 * Merges the logs that the hooks of several processes wrote, in order of time. Pure.
 * @param texts one per process: lines with nanoseconds and an event as JSON
 * @returns the events, and the number of damaged lines
 */
export function readHookLogs(texts: readonly string[]): {
  readonly events: readonly TraceEvent[];
  readonly unreadable: number;
} {
  const found: { readonly at: bigint; readonly event: TraceEvent }[] = [];
  let unreadable = 0;
  for (const text of texts)
    for (const line of text.split("\n")) {
      if (line === "") continue;
      const event = readLine(line);
      if (event) found.push(event);
      else unreadable++;
    }
  found.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return { events: found.map(({ event }) => event), unreadable };
}

function readLine(line: string) {
  const parts = /^(\d+) (\{.*\})$/.exec(line);
  if (!parts) return undefined;
  try {
    const event = JSON.parse(parts[2] ?? "") as TraceEvent;
    return KINDS.has(event.kind)
      ? { at: BigInt(parts[1] ?? 0), event }
      : undefined;
  } catch {
    return undefined;
  }
}
