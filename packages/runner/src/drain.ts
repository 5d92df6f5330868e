import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** How long a stream may be silent before we believe that something holds it open, in milliseconds. */
const SILENT_MS = 300;
/** How long after its script's end a stream may go on talking. What the system still buffers is read far sooner. */
const TALKING_MS = 5_000;

/**
 * Waits for the end of streams whose script has ended. A stream that waits for us (its reader is slow) has all the
 * time it wants; one that is silent, or goes on and on, is held open by a process that the script left behind.
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
