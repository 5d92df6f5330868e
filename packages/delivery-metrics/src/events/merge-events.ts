import type { DeliveryEvent } from "./event.js";
import { eventId } from "./event-id.js";

/** The same facts in whatever order and portions they were read: one of each id, the last one read, by time and then by id. */
export function mergeEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  const byId = new Map<string, DeliveryEvent>();
  for (const event of events) byId.set(eventId(event), event);
  return [...byId]
    .sort(([a, x], [b, y]) => x.at - y.at || (a < b ? -1 : 1))
    .map(([, event]) => event);
}
