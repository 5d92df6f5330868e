import { expect, test } from "@jest/globals";
import {
  chooseFiles,
  mayRunPart,
  shardsOf,
  wantsPart,
} from "./choose-files.js";
import type { ChooseInput } from "./choose-files.js";

const shards = [["a.test.js"], ["b.test.js"]];
const second = { index: 2, count: 2, files: ["b.test.js"] };
const known = { judging: [], failureExitCode: 1 };
const failed = (exitCode: number | null, ...failedFiles: string[]) => ({
  failedFiles,
  attempt: { exitCode },
});
const choose = (more: Partial<ChooseInput>) =>
  chooseFiles({
    unit: { whole: "lib#test", shard: null },
    folder: "/ws/lib",
    siblings: new Map([["lib#test", shards]]),
    last: undefined,
    settings: known,
    ...more,
  });
const sharded = { whole: "lib#test", shard: second };
const asShard = { folder: "/ws/lib", shards, mine: 1, only: false };

test.each<[string, Partial<ChooseInput>, unknown]>([
  ["a first run", {}, undefined],
  ["a shard", { unit: sharded }, asShard],
  [
    "a shard without settings",
    { unit: sharded, settings: undefined },
    undefined,
  ],
  [
    "a shard whose settings judge the whole",
    { unit: sharded, settings: { ...known, judging: ["bail"] } },
    undefined,
  ],
  [
    "failed files",
    { last: failed(1, "a.test.js") },
    { folder: "/ws/lib", shards: [["a.test.js"]], mine: 0, only: true },
  ],
  [
    "failed files of a shard, whose number stays",
    { unit: sharded, last: failed(1, "c.test.js") },
    { folder: "/ws/lib", shards: [[], ["c.test.js"]], mine: 1, only: true },
  ],
  [
    "failed files whose settings judge the whole",
    {
      last: failed(1, "a.test.js"),
      settings: { ...known, judging: ["coverageThreshold"] },
    },
    undefined,
  ],
  [
    "failed files of a run that ended by another exit code",
    { last: failed(7, "a.test.js") },
    undefined,
  ],
  [
    "failed files of a shard that ended by another exit code",
    { unit: sharded, last: failed(null, "a.test.js") },
    asShard,
  ],
  [
    "failed files where failures have an exit code of their own",
    {
      last: failed(7, "a.test.js"),
      settings: { ...known, failureExitCode: 7 },
    },
    { folder: "/ws/lib", shards: [["a.test.js"]], mine: 0, only: true },
  ],
  [
    "a run that failed, but in none of its files",
    { last: failed(1) },
    undefined,
  ],
])("the files of %s", (_, more, expected) => {
  expect(choose(more)).toEqual(expected);
});

test("settings are queried only for units that may run a part of their files", () => {
  const whole = { whole: "lib#test", shard: null };
  expect(wantsPart({ unit: whole, last: undefined })).toBe(false);
  expect(wantsPart({ unit: whole, last: failed(1) })).toBe(false);
  expect(wantsPart({ unit: whole, last: failed(1, "a") })).toBe(true);
  expect(wantsPart({ unit: sharded, last: undefined })).toBe(true);
  expect(mayRunPart(undefined)).toBe(false);
});

test("the shards of a unit are collected over all jobs, in order", () => {
  const unit = (index: number, files: readonly string[]) =>
    ({ whole: "lib#test", shard: { index, count: 2, files } }) as never;
  const job = (units: readonly never[]) => ({ units }) as never;
  const jobs = [
    job([unit(2, ["b"]), { whole: "app#test", shard: null } as never]),
    job([unit(1, ["a"])]),
  ];
  expect([...shardsOf({ jobs })]).toEqual([["lib#test", [["a"], ["b"]]]]);
});
