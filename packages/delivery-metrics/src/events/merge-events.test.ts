import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { eventId } from "./event-id.js";
import { anyEvent } from "./events.test.kit.js";
import { mergeEvents } from "./merge-events.js";

test("portions in any order, and repeated portions, result in the same events", () => {
  fc.assert(
    fc.property(
      fc
        .uniqueArray(anyEvent, { selector: eventId })
        .chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.shuffledSubarray(events, { minLength: events.length }),
            fc.subarray(events),
          ),
        ),
      ([events, shuffled, again]) => {
        expect(mergeEvents([...again, ...shuffled])).toEqual(
          mergeEvents(events),
        );
        expect(mergeEvents(shuffled)).toHaveLength(events.length);
      },
    ),
  );
});

test("of two events with one id, the last one counts", () => {
  const event = {
    kind: "pull-attributed" as const,
    at: 5,
    repository: "a/b",
    pull: 1,
    packages: ["x"],
    owners: [],
  };
  const later = { ...event, packages: ["x", "y"] };
  expect(mergeEvents([event, later])).toEqual([later]);
});

test("events are sorted by time, and then by id as text", () => {
  // Few numbers, so that they collide: some too large for a combined key, some that sort differently as text.
  const few = fc
    .record({
      event: anyEvent,
      at: fc.integer({ min: 0, max: 2 }),
      repository: fc.constantFrom("acme/app", "acme/app-2", "acme/ap"),
      run: fc.constantFrom(9, 10, 2 ** 44, Number.MAX_SAFE_INTEGER),
      attempt: fc.constantFrom(1, 10, 1023, 1024, 2 ** 40),
      pull: fc.constantFrom(9, 10),
    })
    .map(({ event, run, attempt, pull, ...few }) => ({
      ...event,
      ...few,
      ...("run" in event && { run, attempt }),
      ...("pull" in event && { pull }),
    }));
  fc.assert(
    fc.property(fc.array(few, { maxLength: 60 }), (events) => {
      const byId = new Map(events.map((event) => [eventId(event), event]));
      const expected = [...byId]
        .sort(([a, { at }], [b, other]) => at - other.at || (a < b ? -1 : 1))
        .map(([, event]) => event);
      expect(mergeEvents(events)).toEqual(expected);
    }),
  );
});
