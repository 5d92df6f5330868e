import { expect, test } from "@jest/globals";
import { reasonWords } from "./words.js";

test.each([
  [["ms@npm:2.1.2"], "yarn.lock: ms@npm:2.1.2 -> ms@npm:2.1.3"],
  [
    ["ms@npm:2.0.0", "ms@npm:2.1.2"],
    "yarn.lock: ms@npm:2.0.0, ms@npm:2.1.2 -> ms@npm:2.1.3",
  ],
  [["ms@npm:2.1.3"], "yarn.lock: ms@npm:2.1.3 changed"],
  [[], "yarn.lock: ms@npm:2.1.3 is new"],
])("what was %j before, in words", (before, words) => {
  expect(
    reasonWords({
      kind: "lockfile",
      change: { before, after: "ms@npm:2.1.3" },
    }),
  ).toBe(words);
});
