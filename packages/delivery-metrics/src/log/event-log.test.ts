import { expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { anyEvent } from "../events/events.test.kit.js";
import { mergeEvents } from "../events/merge-events.js";
import { EventLog } from "./event-log.js";
import { codeOf, Packer, timeOf, Unpacker } from "./packing.js";
import { Texts } from "./texts.js";

test("a log returns the events that were added, one for each id, in order", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 200 }), (events) => {
      const twice = [...events, ...events.toReversed()];
      const log = EventLog.from(twice, Infinity);
      expect(log.events()).toEqual(mergeEvents(twice));
    }),
  );
});

test("a replaced event is neither the first nor the newest", () => {
  const events = [1, 9, 5].map((at) => ({
    kind: "pull-attributed" as const,
    at,
    repository: "a/b",
    pull: 1,
    packages: [],
    owners: [],
  }));
  const log = EventLog.from(events, Infinity);
  expect([log.first, log.newest]).toEqual([5, 5]);
});

test("any number, time and text is read exactly", () => {
  fc.assert(
    fc.property(
      fc.double(),
      fc.array(fc.tuple(fc.double(), fc.maxSafeInteger(), anyText())),
      (clock, values) => {
        const texts = new Texts();
        const packer = new Packer(texts);
        packer.begin(7, clock);
        for (const [double, integer, text] of values) {
          for (const number of [double, integer]) {
            packer.number(number);
            packer.instant(number);
          }
          packer.instant(null);
          packer.text(text);
        }
        const bytes = Buffer.from(packer.record);
        const record = { bytes, offset: 0 };
        expect([codeOf(record), timeOf(record) + 0]).toEqual([7, clock + 0]);
        const from = new Unpacker(texts, record);
        const exact = (value: number | null) => (value ?? 0) + 0;
        expect(
          values.map(() => ({
            numbers: [exact(from.number()), exact(from.instant())],
            more: [exact(from.number()), exact(from.instant())],
            none: from.instant(),
            text: from.text(),
          })),
        ).toEqual(
          values.map(([double, integer, text]) => ({
            numbers: [double + 0, double + 0],
            more: [integer, integer],
            none: null,
            text,
          })),
        );
      },
    ),
  );
});

test("thousands of texts keep their numbers", () => {
  const texts = new Texts();
  const all = Array.from({ length: 2000 }, (_, index) => [
    `branch-${index}`,
    (index * 7919).toString(16).padStart(40, "0"),
    `日${index}\ud800`,
  ]).flat();
  const ids = all.map((text) => texts.idOf(text));
  expect(texts.size).toBe(all.length);
  expect(all.map((text) => texts.idOf(text))).toEqual(ids);
  expect(ids.map((id) => texts.textOf(id))).toEqual(all);
});
