import { expect, test } from "@jest/globals";
import { timeout } from "../fixture.test.kit.js";
import type { Timed } from "./estimate.js";
import { splitUnit } from "./split.js";

const timed = (
  files: Readonly<Record<string, number>>,
  ms: number,
  shards?: number,
): Timed => ({
  candidate: {
    whole: "lib#test",
    workspace: "lib",
    dir: "packages/lib",
    script: "test",
    command: "jest",
    step:
      shards === undefined
        ? undefined
        : { name: "unit", script: "test", workspace: undefined, shards },
    why: "asked for",
  },
  runner: "jest",
  ms,
  estimate: { kind: "history", runs: 1, p90Ms: ms, flakes: 0 },
  files: new Map(Object.entries(files)),
  unsplit: undefined,
});
const split = (unit: Timed, limitMs = 100_000) =>
  splitUnit(unit, { limitMs, timeout }).map(
    ({ id, shard, expectedMs, timeoutMs }) => [
      id,
      shard?.files ?? null,
      expectedMs,
      timeoutMs,
    ],
  );

test("files with a duration of 0 are in a shard, and no shard is empty", () => {
  expect(split(timed({ a: 0, b: 0, c: 0 }, 300_000))).toEqual([
    ["lib#test[1/3]", ["a"], 100_000, 300_000],
    ["lib#test[2/3]", ["b"], 100_000, 300_000],
    ["lib#test[3/3]", ["c"], 100_000, 300_000],
  ]);
  const shards = splitUnit(timed({ a: 9, b: 0, c: 0 }, 300_000), {
    limitMs: 100_000,
    timeout,
  });
  expect(shards.map(({ shard }) => shard?.files.length)).toEqual([1, 1, 1]);
});

test("a shard of a unit that took no time still expects one millisecond", () => {
  expect(split(timed({ a: 1, b: 1 }, 0, 2))).toEqual([
    ["lib#test[1/2]", ["a"], 1, 60_000],
    ["lib#test[2/2]", ["b"], 1, 60_000],
  ]);
});

test("a unit at the limit isn't split; one above it is split by the durations of its files, and each shard has its own time", () => {
  expect(split(timed({ a: 1, b: 1 }, 100_000))).toEqual([
    ["lib#test", null, 100_000, 300_000],
  ]);
  expect(split(timed({ a: 3, b: 1 }, 100_001))).toEqual([
    ["lib#test[1/2]", ["a"], 75_001, 225_003],
    ["lib#test[2/2]", ["b"], 25_000, 75_000],
  ]);
});

test("a step has the requested number of shards, but not more than files", () => {
  expect(split(timed({ a: 1, b: 1, c: 1 }, 10, 2)).map(([id]) => id)).toEqual([
    "lib#test[1/2]",
    "lib#test[2/2]",
  ]);
  expect(split(timed({ a: 1 }, 10, 5))).toEqual([
    ["lib#test", null, 10, 60_000],
  ]);
});
