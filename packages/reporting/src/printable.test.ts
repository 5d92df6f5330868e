import { expect, test } from "@jest/globals";
import { printable } from "./printable.js";

test.each([
  ["plain text, ünïcödé, 日本", "plain text, ünïcödé, 日本"],
  ["two\nlines\r\tand a tab", "two\\nlines\\r\\tand a tab"],
  ["\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
  ["\u009b31m", "\\u009b31m"],
  ["gpj.\u202efdp", "gpj.\\u202efdp"],
  ["a\u2028b\u2029c\0d\u007f", "a\\u2028b\\u2029c\\u0000d\\u007f"],
  ["\ufeffbom", "\\ufeffbom"],
  ["::add-mask::x", "\u200b::add-mask::x"],
  ["\u00a0 ##[error]x", "\u00a0 \u200b##[error]x"],
  ["a\n::add-mask::x ::", "a\\n::add-mask::x ::"],
])("%j is shown as %s", (text, shown) => {
  expect(printable(text)).toBe(shown);
});
