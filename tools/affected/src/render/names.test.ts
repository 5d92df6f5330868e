import { expect, test } from "@jest/globals";
import { renderNames } from "./names.js";

test("each name is one line, and can't control a terminal or a log", () => {
  const names = ["@m/a", "b\nc", "::add-mask::d", "\u001b[1me"];
  expect(
    renderNames(names.map((name) => ({ name, dir: ".", reasons: [] }))),
  ).toBe("@m/a\nb\\nc\n\u200b::add-mask::d\n\\u001b[1me\n");
});
