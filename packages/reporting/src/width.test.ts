import { expect, test } from "@jest/globals";
import fc from "fast-check";
import stringWidth from "string-width";
import { cutTo, displayWidth, padTo } from "./width.js";

test.each([
  ["abc", 3],
  ["日本", 4],
  ["e\u0301", 1],
  ["é", 1],
  ["👩‍👩‍👧", 2],
  ["\u001b[31mred\u001b[0m", 3],
  ["", 0],
])("%j takes %i columns", (text, columns) => {
  expect(displayWidth(text)).toBe(columns);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "ab…"],
  ["日本語", 4, "日…"],
  ["日本語", 1, "…"],
  ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
])("%j cut to %i columns is %j", (text, width, cut) => {
  expect(cutTo(text, width)).toBe(cut);
});

test("a text that is padded and cut to a width has this width", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme" }),
      fc.integer({ min: 1, max: 30 }),
      (text, width) => {
        const cut = cutTo(text, width);
        expect(displayWidth(cut)).toBeLessThanOrEqual(width);
        expect(displayWidth(padTo(cut, width))).toBe(width);
        expect(padTo(cut, width, "right").trimStart()).toBe(cut.trimStart());
      },
    ),
  );
});

test("widths equal those of string-width, except for 48 characters that terminals show differently", () => {
  const different: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += code < 0x3400 ? 1 : 13) {
    const char = String.fromCodePoint(code);
    if (!/\p{Assigned}/u.test(char)) continue;
    if (displayWidth(char) !== stringWidth(char)) different.push(char);
  }
  expect(different.join("")).toMatch(
    /^[\u{2600}-\u{26ff}\u{3248}-\u{324f}\u{1f1e6}-\u{1f1ff}]{0,48}$/u,
  );
});
