import { expect, test } from "@jest/globals";
import { openReadyQueue, type ReadyQueue } from "./ready-queue.js";
import type { Unit } from "../unit.js";

/** Opens the queue of a plan. The plan has the dependencies of each unit; a name that begins with `?` has no script. */
const open = (
  units: Readonly<Record<string, readonly string[]>>,
  durations: Readonly<Record<string, number>> = {},
) =>
  openReadyQueue(
    {
      units: Object.entries(units).map(([id, dependsOn]): Unit => ({
        id,
        workspace: id,
        version: "",
        dir: id,
        script: "build",
        command: id.startsWith("?") ? undefined : "true",
        args: [],
        pulledIn: false,
        dependsOn,
      })),
      broken: [],
    },
    new Map(Object.entries(durations)),
  );
/** Takes all units that may start now. */
const startable = (queue: ReadyQueue) => {
  const ids: string[] = [];
  for (let unit = queue.next(); unit; unit = queue.next()) ids.push(unit.id);
  return ids;
};
const ids = (out: ReturnType<ReadyQueue["failed"]>) =>
  out.map(({ unit, on }) => [unit.id, on]);

test("a unit starts after the last unit that it waits for, not after the first", () => {
  const queue = open({ a: [], b: [], c: [], d: ["a", "b", "c"] });
  expect(startable(queue)).toEqual(["a", "b", "c"]);
  queue.passed("b");
  queue.passed("a");
  // A second call for the same unit has no effect.
  queue.passed("a");
  expect(startable(queue)).toEqual([]);
  queue.passed("c");
  expect(startable(queue)).toEqual(["d"]);
  queue.passed("c");
  expect(startable(queue)).toEqual([]);
});

test("units without a duration start first, then the longest, in the order of the plan; new units are sorted in", () => {
  const queue = open(
    { a: [], b: [], c: [], d: [], e: ["a"], f: ["a"], g: ["a"] },
    { a: 9, b: 5, c: 5, d: 7, e: 6, g: 5 },
  );
  expect(queue.next()?.id).toBe("a");
  queue.passed("a");
  expect(startable(queue)).toEqual(["f", "d", "e", "b", "c", "g"]);
});

test("a failure removes all units that wait for it, each once, also through units without a script", () => {
  const queue = open({
    a: [],
    other: [],
    "?none": ["a"],
    b: ["?none"],
    c: ["b", "a"],
    d: ["other", "c"],
  });
  expect(startable(queue)).toEqual(["a", "other"]);
  expect(ids(queue.failed("a"))).toEqual([
    ["?none", "a"],
    ["c", "a"],
    ["b", "a"],
    ["d", "c"],
  ]);
  queue.passed("other");
  expect(startable(queue)).toEqual([]);
  expect(queue.drain()).toEqual([]);
});

test("drained units never start, and started units are not drained", () => {
  const queue = open({ a: [], b: [], c: ["a"] });
  queue.next();
  expect(queue.drain().map(({ id }) => id)).toEqual(["b", "c"]);
  queue.passed("a");
  expect(startable(queue)).toEqual([]);
});
