import type { DeliveryEvent } from "./event.js";
import { compareIds, eventId } from "./event-id.js";

/**
 * Returns the same events for any order and partition of the input: one event per id, the last one, sorted by time and
 * then by id.
 */
export function mergeEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  const byId = new Map<string, DeliveryEvent>();
  for (const event of events) byId.set(eventId(event), event);
  return inOrder([...byId.values()]);
}

/**
 * Sorts events by time and then by id. Ids are compared only if times are equal.
 * @param events without duplicates
 */
export function inOrder(
  events: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  // Reads the times first: events have two dozen shapes, and there may be a hundred thousand of them.
  const timed = events.map((event) => ({ at: event.at, event }));
  timed.sort((a, b) => a.at - b.at || compareIds(a.event, b.event));
  return timed.map(({ event }) => event);
}

/** Merges two sorted lists. */
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
