import { parseEvents, type DeliveryEvent } from "@skein/delivery-metrics";
import { count } from "@skein/reporting";
import { readDays } from "./day-files.js";
import type { EventStore } from "./store.js";

/** The events of a store, with messages about the parts that could not be read. */
export interface StoredEvents {
  readonly events: readonly DeliveryEvent[];
  readonly notes: readonly string[];
}

/**
 * Reads the content of a store, in the order in which it was written.
 * @param since skips days that ended before; milliseconds since 1970
 */
export async function readEvents(
  store: EventStore,
  since = 0,
): Promise<StoredEvents> {
  const from = new Date(since).toISOString().slice(0, 10);
  const { texts, broken } = await readDays(await store.files(), from);
  const events: DeliveryEvent[] = [];
  let strays = 0;
  for (const { text } of texts) {
    const parsed = parseEvents(text);
    for (const event of parsed.events) events.push(event);
    strays += parsed.strays.length;
  }
  return {
    events,
    notes: [
      ...broken.map((name) => `${name} is broken and was skipped`),
      ...(strays > 0
        ? [
            `${count(strays, "line")} of ${store.place} are not events that this version recognizes`,
          ]
        : []),
    ],
  };
}
