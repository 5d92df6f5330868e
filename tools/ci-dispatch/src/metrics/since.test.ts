import { expect, test } from "@jest/globals";
import { parseSince } from "./since.js";

const NOW = Date.parse("2026-03-05T12:00:00Z");

test.each([
  ["36h", "2026-03-04T00:00:00.000Z"],
  ["10d", "2026-02-23T12:00:00.000Z"],
  ["8w", "2026-01-08T12:00:00.000Z"],
  ["2026-01-31", "2026-01-31T00:00:00.000Z"],
])("--since %s is %s", (text, time) =>
  expect(new Date(parseSince(text, NOW)).toISOString()).toBe(time),
);

test.each(["soon", "8m", "1.5d", "123456d", "2026-03-06", "2026-02-30", ""])(
  "--since %j is refused",
  (text) =>
    expect(() => parseSince(text, NOW)).toThrow("isn't a time in the past"),
);
