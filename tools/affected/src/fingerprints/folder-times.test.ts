import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { tempDir } from "@skein/testing";
import {
  areSameFolders,
  areSure,
  timesAgain,
  timesOf,
} from "./folder-times.js";

test("the time of a folder that is missing, or that is a symlink to itself, is unknown", async () => {
  await using dir = await tempDir();
  const root = dir.path;
  mkdirSync(join(root, "there"));
  symlinkSync("loop", join(root, "loop"));
  const later = Date.now() + 60_000;
  const times = timesOf(root, ["there", "loop", "missing"], later);
  expect(times).toMatch(/^[\d.]+ there\n\? loop\n\? missing$/);
  expect(timesAgain(root, times, later)).toBe(times);
  expect(areSure(times)).toBe(false);
  expect(areSameFolders(root, times)).toBe(false);
  expect(areSameFolders(root, timesOf(root, ["there"], later))).toBe(true);
});
