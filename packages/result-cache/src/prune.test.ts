import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { filesToPrune } from "./prune.js";

const files = [
  { path: "old", bytes: 40, usedAt: 1 },
  { path: "middle", bytes: 40, usedAt: 2 },
  { path: "new", bytes: 40, usedAt: 3 },
];

test.each([
  [120, []],
  [119, ["old"]],
  [60, ["old", "middle"]],
  [0, ["old", "middle", "new"]],
])("of three files of 40 bytes, at most %d bytes remain", (most, gone) => {
  expect(filesToPrune(files, most).map(({ path }) => path)).toEqual(gone);
});

test("the remaining files fit the limit, and were used later than all deleted ones", () => {
  const file = fc.record({
    path: fc.string(),
    bytes: fc.nat(100),
    usedAt: fc.nat(20),
  });
  fc.assert(
    fc.property(fc.array(file), fc.nat(1000), (all, most) => {
      const gone = new Set(filesToPrune(all, most));
      const rest = all.filter((each) => !gone.has(each));
      const last = Math.max(-1, ...[...gone].map(({ usedAt }) => usedAt));
      expect(
        rest.reduce((sum, { bytes }) => sum + bytes, 0),
      ).toBeLessThanOrEqual(most);
      expect(rest.every(({ usedAt }) => usedAt > last)).toBe(true);
    }),
  );
});
