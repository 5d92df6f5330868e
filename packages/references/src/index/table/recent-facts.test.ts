import { expect, test } from "@jest/globals";
import type { FileFacts } from "../../reference.js";
import { RECENT_BYTES, RecentFacts } from "./recent-facts.js";

/** Facts whose line takes about this many bytes. */
function facts(bytes: number): FileFacts {
  return {
    references: [
      { specifier: "é".repeat(bytes / 2), kind: "import", line: 1, column: 1 },
    ],
  };
}

test("facts that were added are found in the next run", () => {
  const recent = new RecentFacts();
  expect(recent.isNew).toBe(false);
  recent.set("ts:1", facts(4));
  recent.set("text:2", facts(8));
  expect(recent.isNew).toBe(true);
  const kept = new RecentFacts(recent.bytes());
  expect(kept.isNew).toBe(false);
  expect(kept.get("ts:1")).toEqual(facts(4));
  expect(kept.get("text:2")).toEqual(facts(8));
  expect(kept.has("text:1")).toBe(false);
  expect(kept.get("text:1")).toBeUndefined();
});

test("the most recently used facts are stored, and facts that are too large aren't", () => {
  const recent = new RecentFacts();
  for (const key of ["a", "b", "c"]) recent.set(key, facts(1000));
  recent.set("large", facts(10_000));
  recent.get("a");
  const kept = new RecentFacts(recent.bytes(2500));
  const there = ["a", "b", "c", "large"].filter((key) => kept.has(key));
  expect(there).toEqual(["a", "c"]);
});

test("the facts of a thousand large files stay within the limit", () => {
  let recent = new RecentFacts();
  for (let run = 0; run < 10; run++) {
    for (let file = 0; file < 100; file++)
      recent.set(`text:${run}-${file}`, facts(100_000));
    const bytes = recent.bytes();
    expect(bytes.length).toBeLessThanOrEqual(RECENT_BYTES);
    recent = new RecentFacts(bytes);
    expect(recent.has(`text:${run}-99`)).toBe(true);
  }
});

test.each(["", "no line", "no tab\n", "\n\n"])("%j has no facts", (text) => {
  expect(new RecentFacts(Buffer.from(text)).bytes()).toEqual(Buffer.alloc(0));
});
