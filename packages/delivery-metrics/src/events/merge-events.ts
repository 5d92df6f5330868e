import type { DeliveryEvent, Instant } from "./event.js";
import { eventId } from "./event-id.js";

/** The same facts in whatever order and portions they were read: one of each id, the last one read, by time and then by id. */
export function mergeEvents(
  events: Iterable<DeliveryEvent>,
): readonly DeliveryEvent[] {
  const byId = new Map<string, Keyed>();
  for (const event of events) {
    const keys = keyed(event);
    byId.set(keys.id, keys);
  }
  return ordered([...byId.values()]);
}

/** By time and then by id. */
export function inOrder(
  events: readonly DeliveryEvent[],
): readonly DeliveryEvent[] {
  return ordered(events.map(keyed));
}

/** An event and what orders it, once made and close at hand: there may be a hundred thousand of them. */
interface Keyed {
  readonly at: Instant;
  readonly id: string;
  readonly event: DeliveryEvent;
}

function keyed(event: DeliveryEvent): Keyed {
  return { at: event.at, id: eventId(event), event };
}

function ordered(events: Keyed[]): readonly DeliveryEvent[] {
  events.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  return events.map(({ event }) => event);
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
