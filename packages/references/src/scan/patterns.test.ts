import { expect, test } from "@jest/globals";
import { endsOfPattern } from "./patterns.js";

test.each([
  ["**/*.stories.@(js|mdx)", [".stories.js", ".stories.mdx"]],
  ["*.{ts,tsx}", [".ts", ".tsx"]],
  ["*.?(c)[jt]s", [".js", ".ts", ".cjs", ".cts"]],
  ["*.!(d).ts", [".ts"]],
  ["**/*.config.json", [".config.json"]],
  ["**/src", [""]],
  ["**", [""]],
])("the ends of %s", (pattern, ends) => {
  expect(endsOfPattern(pattern)).toEqual(ends);
});

test("a long word before a wildcard takes no long time", () => {
  expect(endsOfPattern(`${"a-long.word/".repeat(1000)}*`)).toEqual([""]);
  expect(endsOfPattern(`**/${"a-long.word".repeat(1000)}/**`)).toEqual([""]);
});
