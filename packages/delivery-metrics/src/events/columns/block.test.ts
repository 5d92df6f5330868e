import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVENT_KINDS } from "../event-fields.js";
import { formatEvent } from "../line.js";
import { mergeEvents } from "../merge-events.js";
import { parseEvents } from "../ndjson.js";

const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/${name}`, import.meta.url), "utf8");
const blocks = fixture("old-blocks.ndjson");
const [text = ""] = blocks.split("\n").slice(-2);

test("blocks of earlier versions are read, with every kind of event and the last version of each event", () => {
  const { events, strays } = parseEvents(blocks);
  expect(strays).toEqual([]);
  expect(mergeEvents(events).map(formatEvent).join("")).toBe(
    fixture("old-blocks.events.ndjson"),
  );
  expect([...new Set(events.map(({ kind }) => kind))].sort()).toEqual(
    // Kinds are added, and never removed.
    EVENT_KINDS.filter((kind) => kind !== "units-reused").sort(),
  );
});

interface Wire {
  readonly v: number;
  readonly events: number;
  readonly words: Record<string, unknown>;
  readonly columns: Record<string, unknown>;
}
const block = JSON.parse(text) as Wire;

test("a block of a later version is distinguished from a broken one", () => {
  const read = (change: Partial<Wire>) =>
    parseEvents(`${JSON.stringify({ ...block, ...change })}\n`);
  const later = {
    events: [],
    strays: [{ why: "later", line: 1, kind: "block" }],
  };
  const broken = { events: [], strays: [{ why: "malformed", line: 1 }] };
  expect(read({ v: 3 })).toEqual(later);
  expect(read({ columns: { ...block.columns, weather: 1 } })).toEqual(later);
  expect(read({ words: { ...block.words, kind: ["pull-pinned"] } })).toEqual(
    later,
  );
  for (const columns of [
    { run: undefined },
    { at: [1e15, 0, 0] },
    { kind: [99] },
  ])
    expect(read({ columns: { ...block.columns, ...columns } })).toEqual(broken);
  expect(read({ events: 1e9 })).toEqual(broken);
  expect(
    read({ words: { ...block.words, sha: { length: 3, joined: "c0f" } } }),
  ).toEqual(broken);
});

test("the reader of blocks never throws", () => {
  const places = [
    ...Object.keys(block.columns).map((name) => ["columns", name] as const),
    ...Object.keys(block.words).map((name) => ["words", name] as const),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.oneof(
        fc.jsonValue(),
        fc.integer(),
        fc.array(fc.option(fc.integer({ min: -5, max: 5 }))),
      ),
      ([part, name], value) => {
        const changed = {
          ...block,
          [part]: { ...block[part], [name]: value },
        };
        const { events, strays } = parseEvents(JSON.stringify(changed));
        expect(events.length === block.events || strays.length === 1).toBe(
          true,
        );
        // All events that were read must be writable.
        expect(parseEvents(events.map(formatEvent).join("")).strays).toEqual(
          [],
        );
      },
    ),
    { numRuns: 300 },
  );
});
