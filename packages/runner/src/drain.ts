import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a stream may be silent, in milliseconds. After that, another process probably holds it open. */
const SILENT_MS = 300;
/** How long output may continue after its script's end, in milliseconds. The system's buffers are read far sooner. */
const TALKING_MS = 5_000;

/**
 * Waits for the end of streams whose script has ended. A stream that waits for us, because its reader is slow, has
 * unlimited time. If a stream is silent or never ends, a process that the script left behind holds it open.
 * @returns whether all of them have ended
 */
export async function drained(
  streams: readonly (Readable & { readonly bytesRead?: number })[],
): Promise<boolean> {
  const ends = await Promise.all(streams.map(drainedOne));
  return ends.every((end) => end);
}

async function drainedOne(
  stream: Readable & { readonly bytesRead?: number },
): Promise<boolean> {
  if (stream.closed || stream.readableEnded) return true;
  const end = once(stream, "close").then(
    () => true,
    () => true,
  );
  let talking = 0;
  let seen = -1;
  while (talking < TALKING_MS) {
    if (await Promise.race([end, sleep(SILENT_MS, false)])) return true;
    if (stream.isPaused()) continue;
    const bytes = stream.bytesRead ?? 0;
    if (bytes === seen) return false;
    seen = bytes;
    talking += SILENT_MS;
  }
  return false;
}
