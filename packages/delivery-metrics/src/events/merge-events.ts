import type { DeliveryEvent } from "./event.js";
import { compareIds, EventsById } from "./event-id.js";

/**
 * Returns the same facts in whatever order and portions they were read: one of each id, the last one read, by time and
 * then by id.
 */
export function mergeEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  const byId = new EventsById();
  for (const event of events) byId.add(event);
  return inOrder(byId.all());
}

/** By time and then by id, which is compared only where times are the same. @param events each once */
export function inOrder(
  events: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  // Times close at hand: events have two dozen shapes, and there may be a hundred thousand of them.
  const timed = events.map((event) => ({ at: event.at, event }));
  timed.sort((a, b) => a.at - b.at || compareIds(a.event, b.event));
  return timed.map(({ event }) => event);
}

/** Returns two lists that are in order, as one. */
export function mergeOrdered(
  these: readonly DeliveryEvent[],
  those: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  const merged: DeliveryEvent[] = [];
  let next = 0;
  for (const event of these) {
    for (let other = those[next]; other && isBefore(other, event);) {
      merged.push(other);
      other = those[++next];
    }
    merged.push(event);
  }
  return merged.concat(those.slice(next));
}

function isBefore(a: DeliveryEvent, b: DeliveryEvent): boolean {
  return a.at < b.at || (a.at === b.at && compareIds(a, b) < 0);
}
