import { expect, test } from "@jest/globals";
import { palette, wantsColour } from "./colour.js";

test.each([
  [{}, true, true],
  [{}, false, false],
  [{}, undefined, false],
  [{ NO_COLOR: "1" }, true, false],
  [{ NO_COLOR: "" }, true, true],
  [{ TERM: "dumb" }, true, false],
  [{ FORCE_COLOR: "1" }, false, true],
  [{ FORCE_COLOR: "" }, false, true],
  [{ FORCE_COLOR: "0" }, true, false],
  [{ FORCE_COLOR: "false" }, true, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1", TERM: "dumb" }, false, true],
])("%j on a stream with isTTY %s: colour %s", (env, isTTY, colour) => {
  expect(wantsColour(env, { isTTY })).toBe(colour);
});

test("styles are used only if colour is wanted", () => {
  expect(palette(true).red("no")).toBe("\u001b[31mno\u001b[39m");
  expect(
    Object.values(palette(false)).map((style: (t: string) => string) =>
      style("x"),
    ),
  ).toEqual(["x", "x", "x", "x", "x", "x"]);
});
