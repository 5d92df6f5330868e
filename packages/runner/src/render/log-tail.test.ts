import { expect, test } from "@jest/globals";
import { logTail } from "./log-tail.js";

test.each<[string, number, string[]]>([
  ["", 3, []],
  ["one\n", 3, ["one"]],
  ["1\n2\r\n3\n4\n\n\n", 3, ["2", "3", "4"]],
  [
    "\u001b[31mred\u001b[0m\n::error::mine\n",
    3,
    ["red", "\u200b::error::mine"],
  ],
  ["\u001b]0;title\u0007a\u202eb", 3, ["a\\u202eb"]],
])("%j", (text, most, lines) => {
  expect(logTail(text, most)).toEqual(lines);
});
