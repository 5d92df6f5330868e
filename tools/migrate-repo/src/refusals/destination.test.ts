import { expect, test } from "@jest/globals";
import { overlaps } from "./destination.js";

test.each([
  ["beside each other", ["packages/a", "packages/b"], []],
  ["one name begins as the other", ["packages/a", "packages/ab"], []],
  ["the same", ["packages/x", "packages/x"], [["packages/x", "packages/x"]]],
  [
    "one inside the other",
    ["packages/x/y", "packages/x"],
    [["packages/x/y", "packages/x"]],
  ],
  [
    "one folder on macOS and Windows",
    ["packages/X", "libs/a", "packages/x"],
    [["packages/X", "packages/x"]],
  ],
  [
    "one inside the other on macOS and Windows",
    ["Packages/x", "packages/X/y"],
    [["Packages/x", "packages/X/y"]],
  ],
])("destinations: %s", (_, destinations, expected) => {
  expect(overlaps(destinations)).toEqual(
    expected.map(([one, other]) => ({
      code: "destinations-overlap",
      one,
      other,
    })),
  );
});
