import type { DeliveryEvent } from "./event.js";
import { eventId } from "./event-id.js";

/** The same facts in whatever order and portions they were read: one of each id, the last one read, by time and then by id. */
export function mergeEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  const byId = new Map<string, DeliveryEvent>();
  for (const event of events) byId.set(eventId(event), event);
  return inOrder([...byId.values()]);
}

/** By time and then by id. Ids are made only where two events share a time. */
export function inOrder(
  events: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  return events.toSorted(compare);
}

/** Two lists that are in order, as one. */
export function mergeOrdered(
  these: readonly DeliveryEvent[],
  those: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  const merged: DeliveryEvent[] = [];
  let next = 0;
  for (const event of these) {
    for (let other = those[next]; other && compare(other, event) < 0;) {
      merged.push(other);
      other = those[++next];
    }
    merged.push(event);
  }
  return merged.concat(those.slice(next));
}

function compare(a: DeliveryEvent, b: DeliveryEvent): number {
  return a.at - b.at || (eventId(a) < eventId(b) ? -1 : 1);
}
