import { expect, test } from "@jest/globals";
import { count, formatBytes, formatDuration } from "./amounts.js";

test.each([
  [-5, "0 ms"],
  [0, "0 ms"],
  [849.6, "850 ms"],
  [999.4, "999 ms"],
  [999.6, "1.0 s"],
  [1_234, "1.2 s"],
  [9_949, "9.9 s"],
  [9_950, "10 s"],
  [59_499, "59 s"],
  [59_500, "1 min 00 s"],
  [125_000, "2 min 05 s"],
  [3_599_400, "59 min 59 s"],
  [3_599_600, "1 h 00 min"],
  [3_720_000, "1 h 02 min"],
  [86_400_000, "1 d 0 h"],
  [273_600_000, "3 d 4 h"],
])("%d ms is %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [1536, "1.5 KiB"],
  [10 * 1024, "10 KiB"],
  [1024 ** 2 - 1, "1.0 MiB"],
  [5.25 * 1024 ** 3, "5.3 GiB"],
  [4096 * 1024 ** 4, "4096 TiB"],
])("%d bytes are %s", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each([
  [count(0, "package"), "0 packages"],
  [count(1, "package"), "1 package"],
  [count(5000, "package"), "5,000 packages"],
  [count(2, "branch", "branches"), "2 branches"],
  [count(999, "commit"), "999 commits"],
  [count(1_234_567, "commit"), "1,234,567 commits"],
  [count(-12_345, "byte"), "-12,345 bytes"],
])("%s", (text, expected) => {
  expect(text).toBe(expected);
});
