import { expect, test } from "@jest/globals";
import { markdownCode, markdownTable, markdownText } from "./markdown.js";

test.each([
  ["plain words, with commas.", "plain words, with commas."],
  ["a|b", "a\\|b"],
  [
    "`code` *bold* _it_ ~~no~~",
    "\\`code\\` \\*bold\\* \\_it\\_ \\~\\~no\\~\\~",
  ],
  ["<img src=x onerror=1>", "\\<img src=x onerror=1\\>"],
  ["&lt;", "\\&lt;"],
  ["[a](http://evil)", "\\[a\\](http:\u200b//evil)"],
  ["www.evil.example", "www\u200b.evil.example"],
  ["cc @acme/team and @ada", "cc @\u200bacme/team and @\u200bada"],
  ["fixes #12, GH-13", "fixes \\#\u200b12, GH-\u200b13"],
  ["# not a heading", "\\# not a heading"],
  ["- not a list", "\\- not a list"],
  ["1. not a list", "1\\. not a list"],
  ["---", "\\---"],
  ["two\nlines\r\n  here", "two lines here"],
  ["back\\slash", "back\\\\slash"],
  [
    "\u001b[31mred\u0007\u0000 \u009b2J \u202egpj.exe\u2066",
    "\\\\u001b\\[31mred\\\\u0007\\\\u0000 \\\\u009b2J \\\\u202egpj.exe\\\\u2066",
  ],
])("%j as text", (text, markdown) => {
  expect(markdownText(text)).toBe(markdown);
});

test.each([
  ["@acme/ui", "`@acme/ui`"],
  ["a`b", "``a`b``"],
  ["`a`", "`` `a` ``"],
  ["``", "``` `` ```"],
  ["a|b", "`a\\|b`"],
  ["a\nb", "`a b`"],
  ["\u001b[31m\u202ea|b", "`\\u001b[31m\\u202ea\\|b`"],
  [" a ", "`  a  `"],
  ["", ""],
])("%j as code", (text, markdown) => {
  expect(markdownCode(text)).toBe(markdown);
});

test("a table has a heading and aligned columns", () => {
  expect(
    markdownTable(
      ["package", "ms"],
      [["`a`", "12"], ["`b`"]],
      ["left", "right"],
    ),
  ).toBe("| package | ms |\n| --- | --: |\n| `a` | 12 |\n| `b` |  |\n");
});
