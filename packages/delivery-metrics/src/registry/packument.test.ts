import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { formatEvent } from "../events/line.js";
import { parseEvents } from "../events/ndjson.js";
import { readPackument } from "./packument.js";

const SINCE = Date.UTC(2026, 0, 1);

test("every version since a time is read, with its publication time and the commit that npm recorded", () => {
  const sha = "a".repeat(40);
  const events = readPackument(
    "acme/ui",
    "@acme/ui",
    {
      time: {
        created: "2025-01-01T00:00:00.000Z",
        modified: "2026-01-09T00:00:00.000Z",
        "1.0.0": "2025-12-31T23:59:59.999Z",
        "1.1.0": "2026-01-05T10:00:00.000Z",
        "1.2.0": "2026-01-06T10:00:00.000Z",
        "2.0.0-rc.1": "2026-01-07T10:00:00.000Z",
        unpublished: { name: "ann" },
        "3.0.0": "soon",
      },
      versions: {
        "1.1.0": { gitHead: sha },
        "1.2.0": { gitHead: "--upload-pack=x" },
      },
    },
    SINCE,
  );
  const published = {
    kind: "published",
    repository: "acme/ui",
    channel: "npm",
    environment: null,
    started: null,
    pulls: null,
  };
  expect(events).toEqual([
    {
      ...published,
      at: Date.UTC(2026, 0, 5, 10),
      key: "@acme/ui@1.1.0",
      sha,
      packages: [{ name: "@acme/ui", version: "1.1.0" }],
    },
    {
      ...published,
      at: Date.UTC(2026, 0, 6, 10),
      key: "@acme/ui@1.2.0",
      sha: null,
      packages: [{ name: "@acme/ui", version: "1.2.0" }],
    },
  ]);
});

test("any answer of a registry results in events that can be stored and read, or in none", () => {
  const version = fc.oneof(
    fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((each) => each.join(".")),
    fc.string(),
  );
  const time = fc.dictionary(
    version,
    fc.oneof(
      fc.date({ noInvalidDate: true }).map((each) => each.toISOString()),
      fc.jsonValue(),
    ),
  );
  fc.assert(
    fc.property(time, fc.jsonValue(), (reported, versions) => {
      const answer = { time: reported, versions };
      const events = readPackument("o/n", "p", answer, 0) ?? [];
      const text = events.map(formatEvent).join("");
      expect(parseEvents(text).events).toEqual(events);
    }),
  );
  expect(readPackument("o/n", "p", [], 0)).toBeUndefined();
  expect(readPackument("o/n", "p", { time: null }, 0)).toBeUndefined();
});
