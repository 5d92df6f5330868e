import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { EVENT_FIELDS, EVENT_KINDS } from "./event-fields.js";
import { anyEvent } from "./events.test.kit.js";
import type { RunCompleted } from "./event.js";
import { formatEvent } from "./line.js";
import { parseEvents } from "./ndjson.js";

test("every event is read as it was written", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(fc.array(anyEvent), (events) => {
      for (const { kind } of events) seen.add(kind);
      const text = events.map(formatEvent).join("");
      expect(parseEvents(text)).toEqual({ events, strays: [] });
    }),
    { numRuns: 300 },
  );
  expect([...seen].sort()).toEqual([...EVENT_KINDS].sort());
});

const at = Date.UTC(2026, 0, 31, 12, 5);
const started = Date.UTC(2026, 0, 31, 12);
const run: RunCompleted = {
  kind: "run-completed",
  at,
  repository: "acme/web",
  run: 577,
  attempt: 2,
  started,
  conclusion: "failure",
  jobs: [
    {
      name: "test",
      created: started,
      started: started + 12_500,
      completed: at,
      conclusion: "failure",
    },
    {
      name: "deploy",
      created: null,
      started: null,
      completed: null,
      conclusion: "skipped",
    },
  ],
};

test("the line of a run has its jobs in columns, and spans in seconds", () => {
  expect(formatEvent(run)).toBe(
    '{"v":1,"kind":"run-completed","at":"2026-01-31T12:05:00Z","repository":"acme/web","run":577,"attempt":2,' +
      '"started":"2026-01-31T12:00:00Z","conclusion":"failure","jobs":{"name":["test","deploy"],"created":[0,null],' +
      '"started":[12.5,null],"completed":[287.5,null],"conclusion":["failure","skipped"]}}\n',
  );
});

test("values that are false, null or empty are omitted", () => {
  expect(
    formatEvent({
      kind: "pull-opened",
      at,
      repository: "acme/web",
      pull: 12,
      author: "ada",
      bot: false,
      branch: "main",
      base: "main",
      draft: false,
      fork: true,
      title: null,
    }),
  ).toBe(
    '{"v":1,"kind":"pull-opened","at":"2026-01-31T12:05:00Z","repository":"acme/web","pull":12,"author":"ada",' +
      '"branch":"main","base":"main","fork":true}\n',
  );
});

test("later kinds and versions are distinguished from malformed lines", () => {
  const good = formatEvent(run);
  const ready = {
    v: 1,
    kind: "pull-ready",
    at: "2026-01-31T12:05:00Z",
    repository: "acme/web",
    pull: 1,
  };
  const line = (value: object) => `${JSON.stringify(value)}\n`;
  const text = [
    good,
    line({ ...ready, kind: "pull-pinned" }),
    line({ ...ready, v: 2 }),
    "{half\n",
    "\n",
    "null\r\n",
    line({ ...ready, v: 0 }),
    line({ ...ready, kind: "constructor", v: "1" }),
    line({ ...ready, at: "2026-01-31T12:05:00+02:00" }),
    line({ ...ready, at: "2026-13-31T12:05:00Z" }),
    line({ ...ready, repository: "../etc" }),
    line({ ...ready, pull: -1 }),
    line({ ...ready, pull: "1" }),
    good.replace("[0,null]", "[0]"),
    good.replace('"name":["test"', '"name":["te\\nst"'),
    JSON.stringify({ ...ready, extra: true }),
  ].join("");
  const { events, strays } = parseEvents(text);
  expect(events).toEqual([
    run,
    { kind: "pull-ready", at, repository: "acme/web", pull: 1 },
  ]);
  expect(strays).toEqual([
    { why: "later", line: 2, kind: "pull-pinned" },
    { why: "later", line: 3, kind: "pull-ready" },
    ...[4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15].map((each) => ({
      why: "malformed",
      line: each,
    })),
  ]);
});

test.each([
  ['{"v":1,"kind":"pull-ready","at":"2026-0', "cut"],
  ['{"v":1,"kind":"pull-ready","at":"2026-0\n', "malformed"],
])("a last line that isn't an event: %j", (text, why) => {
  expect(parseEvents(`\n${text}`)).toEqual({
    events: [],
    strays: [{ why, line: 2 }],
  });
});

test("the parser never throws", () => {
  const kinds = fc.constantFrom(...Object.keys(EVENT_FIELDS), "__proto__", "x");
  const wire = fc.record(
    {
      v: fc.constantFrom(1, 2, "1"),
      kind: kinds,
      at: fc.constantFrom("2026-01-31T12:05:00Z", "now", 5),
      repository: fc.constantFrom("a/b", "a"),
      pull: fc.jsonValue(),
      sha: fc.jsonValue(),
      jobs: fc.jsonValue(),
      packages: fc.jsonValue(),
    },
    { requiredKeys: ["v", "kind"] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(wire, fc.jsonValue())), (values) => {
      const text = values.map((each) => JSON.stringify(each)).join("\n");
      const { events, strays } = parseEvents(text);
      expect(events.length + strays.length).toBe(values.length);
    }),
  );
});
