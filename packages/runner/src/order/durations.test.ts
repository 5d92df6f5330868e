import { expect, test } from "@jest/globals";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { tempDir, writeFiles } from "@skein/testing";
import { readDurations, withRun, writeDurations } from "./durations.js";
import { sampleReport } from "../render/sample-report.test.data.js";

test.each([
  ["missing", undefined],
  ["empty", ""],
  ["cut", '{"version":1,"units":{"a#test":'],
  ["of another version", '{"version":2,"units":{"a#test":1}}'],
  ["without units", '{"version":1}'],
  ["not an object", "null"],
])("a file that is %s counts as no history", async (_name, text) => {
  await using dir = await tempDir();
  if (text !== undefined) await writeFiles(dir.path, { "d.json": text });
  expect(await readDurations(join(dir.path, "d.json"))).toEqual(new Map());
});

test("invalid durations are ignored", async () => {
  await using dir = await tempDir();
  await writeFiles(dir.path, {
    "d.json": '{"version":1,"units":{"a":1,"b":"2","c":-1,"d":null,"e":1e999}}',
  });
  expect(await readDurations(join(dir.path, "d.json"))).toEqual(
    new Map([["a", 1]]),
  );
});

test("only passed units count, and new durations are averaged with earlier ones", async () => {
  await using dir = await tempDir();
  const file = join(dir.path, "cache", "d.json");
  const durations = withRun(
    new Map([
      ["good#test", 1_000],
      ["other#test", 5],
    ]),
    sampleReport,
  );
  await writeDurations(file, durations, "1");
  expect(await readDurations(file)).toEqual(
    new Map([
      ["good#test", 1_117],
      ["other#test", 5],
    ]),
  );
  expect(await readFile(file, "utf8")).toMatch(/\n$/);
  expect(await readdir(join(dir.path, "cache"))).toEqual(["d.json"]);
});
