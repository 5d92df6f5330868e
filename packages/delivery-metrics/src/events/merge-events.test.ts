import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { eventId } from "./event-id.js";
import { anyEvent } from "./events.test.kit.js";
import { mergeEvents } from "./merge-events.js";

test("portions in any order, and any of them twice, come to the same events", () => {
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

test("of two events with one id the one read last counts", () => {
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
