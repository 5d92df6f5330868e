import { describe, expect, test } from "@jest/globals";
import { parseBytes } from "./bytes.js";
import { decodeResult, encodeResult, resultKey } from "./kept-result.js";
import type { KeptResult } from "./kept-result.js";
import { isExpired, keepRefusal } from "./may-keep.js";
import { outputRules } from "./output-rules.js";

test.each([
  ["1048576", 1048576],
  ["500MiB", 500 * 2 ** 20],
  ["1.5 gb", 1.5e9],
  ["5GiB", 5 * 2 ** 30],
  ["", undefined],
  ["5 apples", undefined],
  ["-1", undefined],
])("the size %j is %j bytes", (text, bytes) => {
  expect(parseBytes(text)).toBe(bytes);
});

test("keys differ in each field, and no two fields can be confused", () => {
  const want = { unit: "a#test", fingerprint: "f", outputs: ["dist/**"] };
  const keys = [
    resultKey("default", want),
    resultKey("local", want),
    resultKey("default", { ...want, unit: "b#test" }),
    resultKey("default", { ...want, fingerprint: "e" }),
    resultKey("default", { ...want, outputs: [] }),
    resultKey("default", { ...want, outputs: ["dist/", "**"] }),
    resultKey("defaulta", { ...want, unit: "#test" }),
  ];
  expect(new Set(keys).size).toBe(keys.length);
});

describe("a stored result", () => {
  const result: KeptResult = {
    version: 1,
    ...{ unit: "a#test", scope: "local", fingerprint: "f", commit: null },
    ...{ at: 1, durationMs: 2, via: "shell", outputs: [] },
    log: { text: "ok\n", bytes: 3, blob: null },
  };
  test("is read as it was written", () => {
    expect(decodeResult(encodeResult(result))).toEqual(result);
  });
  test.each<unknown>([
    null,
    [],
    {},
    { ...result, version: 2 },
    { ...result, at: "1" },
    { ...result, at: 1e300 },
    { ...result, commit: undefined },
    { ...result, via: "ssh" },
    { ...result, log: { text: "", bytes: 1, blob: "../x" } },
    { ...result, log: undefined },
    { ...result, outputs: [{ kind: "link", path: "a", target: "/etc" }] },
    { ...result, outputs: [null] },
    { ...result, outputs: {} },
  ])("%j isn't valid", (value) => {
    expect(decodeResult(Buffer.from(JSON.stringify(value)))).toBeUndefined();
  });
  test("other bytes aren't valid", () => {
    expect(decodeResult(Buffer.from("{"))).toBeUndefined();
  });
});

test("results are not stored if the script left processes behind, or did not run", () => {
  const replayed = { commit: undefined, at: 0 };
  expect([
    keepRefusal({ leftBehind: false }),
    keepRefusal({ leftBehind: true }),
    keepRefusal({ leftBehind: false, replayed }),
  ]).toEqual([
    undefined,
    "processes that it left running were ended",
    "it did not run",
  ]);
});

test.each([
  [1_000, undefined, false],
  [1_000, 60, true],
  [99_000, 60, false],
  [200_000, 60, true],
])(
  "at 100 s, a result of %d ms with a limit of %j s is expired: %j",
  (at, most, expired) => {
    expect(isExpired(at, 100_000, most)).toBe(expired);
  },
);

test("the last matching glob decides, and folders that contain every match are recognised", () => {
  const rules = outputRules(
    [
      "dist/**",
      "!dist/cache/**",
      "*.tsbuildinfo",
      "lib/gen/*.js",
      "lib/gen/sub/**",
    ],
    new Set(["dist/kept.txt"]),
  );
  const paths = [
    "dist/a.js",
    "dist/cache/x",
    "a.tsbuildinfo",
    "lib/a.js",
    "lib/gen/a.js",
  ];
  expect(paths.map((path) => rules.matches(path))).toEqual([
    true,
    false,
    true,
    false,
    true,
  ]);
  expect(rules.isSource("dist/kept.txt")).toBe(true);
  expect(rules.bases).toEqual([""]);
  expect(
    outputRules(["dist/**", "lib/gen/*.js", "lib/gen/sub/**", "out"], new Set())
      .bases,
  ).toEqual(["dist", "lib/gen", "out"]);
});
