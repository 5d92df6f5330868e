import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVENT_KINDS } from "../event-fields.js";
import type { DeliveryEvent } from "../event.js";
import { eventId } from "../event-id.js";
import { anyEvent } from "../events.test.kit.js";
import { formatEvent } from "../line.js";
import { mergeEvents } from "../merge-events.js";
import { parseEvents } from "../ndjson.js";
import { formatBlocks } from "./block.js";

/** By id, every telling in its order. */
function tellings(events: readonly DeliveryEvent[]) {
  const byId = new Map<string, DeliveryEvent[]>();
  for (const event of events) {
    const list = byId.get(eventId(event));
    if (list) list.push(event);
    else byId.set(eventId(event), [event]);
  }
  return byId;
}

test("blocks hold the same events, and each one's tellings in their order", () => {
  const seen = new Set<string>();
  // Few ids, so that some are told several times.
  const few = anyEvent.map((event): DeliveryEvent => {
    seen.add(event.kind);
    return "run" in event
      ? { ...event, run: event.run % 3, attempt: 1 }
      : event;
  });
  fc.assert(
    fc.property(fc.array(few, { maxLength: 30 }), (events) => {
      const parsed = parseEvents(formatBlocks(events));
      expect(parsed.strays).toEqual([]);
      expect(tellings(parsed.events)).toEqual(tellings(events));
      expect(mergeEvents(parsed.events)).toEqual(mergeEvents(events));
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual([...EVENT_KINDS].sort());
});

test("the same events make the same blocks, in whatever order they were told", () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyEvent, { selector: eventId }), (events) => {
      expect(formatBlocks(events.toReversed())).toBe(formatBlocks(events));
    }),
  );
});

const at = Date.UTC(2026, 0, 31, 12);
const repository = "acme/web";
const sha = "c0ffee".padEnd(40, "0");
const other = "decade".padEnd(40, "1");
const queue = `gh-readonly-queue/main/pr-12-${sha}`;
const example: readonly DeliveryEvent[] = [
  { kind: "pull-pushed", at, repository, pull: 12, sha: other, forced: true },
  {
    kind: "run-started",
    at: at + 60_000,
    repository,
    run: 577,
    attempt: 1,
    workflow: "CI",
    path: null,
    event: "merge_group",
    branch: queue,
    sha,
    pulls: [],
    created: at + 60_000,
  },
  {
    kind: "run-completed",
    at: at + 360_000,
    repository,
    run: 577,
    attempt: 1,
    started: at + 60_000,
    conclusion: "success",
    jobs: ["lint", "test"].map((name, index) => ({
      name,
      created: at + 60_000,
      started: at + 72_500,
      completed: at + 180_000 * (index + 1),
      conclusion: "success",
    })),
  },
];

test("a block: a column a field, ids and times by their differences, words once", () => {
  const { words, columns, ...rest } = JSON.parse(formatBlocks(example)) as {
    words: object;
    columns: object;
  };
  expect(rest).toEqual({ v: 2, kind: "block", events: 3 });
  expect(words).toEqual({
    kind: ["pull-pushed", "run-started", "run-completed"],
    repository: ["acme/web"],
    workflow: ["CI"],
    event: ["merge_group"],
    branch: ["gh-readonly-queue/main/pr-12-\n"],
    sha: { length: 40, joined: other + sha },
    conclusion: ["success"],
    "jobs[].name": ["lint", "test"],
    "jobs[].conclusion": ["success"],
  });
  expect(columns).toEqual({
    kind: [0, 1, 2],
    repository: [0, 1, 1],
    pull: 12,
    forced: 1,
    run: [577, 0],
    attempt: 1,
    workflow: 0,
    path: null,
    event: 0,
    branch: 0,
    "branch#sha": 0,
    sha: [0, 1],
    pulls: 0,
    created: 60,
    started: 0,
    conclusion: 0,
    jobs: 2,
    "jobs[].name": 0,
    "jobs[].conclusion": 0,
    "jobs[].created": 0,
    "jobs[].started": 12.5,
    "jobs[].completed": [107.5, 287.5],
    at: [at / 1000, 0, 0],
  });
});

test("what is long comes in several blocks", () => {
  const packages = Array.from({ length: 500 }, (_, index) =>
    `${index}`.padEnd(200, "-"),
  );
  const many = Array.from({ length: 25 }, (_, pull) => ({
    kind: "pull-attributed" as const,
    at: at + pull,
    repository,
    pull,
    packages,
    owners: [],
  }));
  const text = formatBlocks(many);
  expect(text.trimEnd().split("\n")).toHaveLength(2);
  expect(parseEvents(text)).toEqual({ events: many, strays: [] });
});

const wire = () =>
  JSON.parse(formatBlocks(example)) as {
    words: Record<string, unknown>;
    columns: Record<string, unknown>;
  };

test("a block of later is told from one that is broken, and stays a line", () => {
  const told = (change: (block: ReturnType<typeof wire>) => object) => {
    const block = wire();
    return parseEvents(`${JSON.stringify({ ...block, ...change(block) })}\n`);
  };
  const later = {
    events: [],
    strays: [{ why: "later", line: 1, kind: "block" }],
  };
  const broken = { events: [], strays: [{ why: "malformed", line: 1 }] };
  expect(told(() => ({ v: 3 }))).toEqual(later);
  // Columns that nobody asks for.
  expect(told(() => ({ events: 2 }))).toEqual(later);
  expect(
    told(({ columns }) => ({ columns: { ...columns, weather: 1 } })),
  ).toEqual(later);
  expect(
    told(({ words }) => ({
      words: { ...words, kind: ["pull-ready", "run-started", "pull-pinned"] },
    })),
  ).toEqual(later);
  for (const columns of [
    { run: [577, 0, 0] },
    { run: [577] },
    { run: [-1, 0] },
    { run: undefined },
    { sha: 2 },
    { at: [1e15, 0, 0] },
    { kind: [0, 1, 3] },
    { jobs: 1e9, "jobs[].completed": 1 },
  ])
    expect(
      told((block) => ({ columns: { ...block.columns, ...columns } })),
    ).toEqual(broken);
  expect(told(() => ({ events: 1e9 }))).toEqual(broken);
  expect(
    told(({ words }) => ({
      words: { ...words, sha: { length: 3, joined: "c0f" } },
    })),
  ).toEqual(broken);
});

test("nothing that is put into a block makes its reader throw", () => {
  const block = wire();
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
        expect(events.length === 3 || strays.length === 1).toBe(true);
        // What was read can be written.
        expect(parseEvents(events.map(formatEvent).join("")).strays).toEqual(
          [],
        );
      },
    ),
    { numRuns: 1000 },
  );
});
