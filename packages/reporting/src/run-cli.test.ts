import { expect, test } from "@jest/globals";
import { Failure, type FailureOptions } from "./failure.js";
import { renderFailure } from "./run-cli.js";

test.each<[sentence: string, options: FailureOptions, words: string]>([
  ["it is so", {}, "tool: it is so\n"],
  [
    "it is so",
    { place: { file: "a.json", line: 3, column: 1 }, hint: "fix it" },
    "tool: a.json:3:1: it is so\nhint: fix it\n",
  ],
  [
    "two\n\tlines",
    { hint: "of\nboth" },
    "tool: two\n  lines\nhint: of\nboth\n",
  ],
  [
    "of d\n ::error::x\u001b[31m",
    { place: { file: "a\n::error::y" }, hint: "not d\r\n##[error]z" },
    "tool: a\\n::error::y: of d\n \u200b::error::x\\u001b[31m\nhint: not d\\r\n\u200b##[error]z\n",
  ],
])("%j with %j", (sentence, options, words) => {
  expect(renderFailure("tool", new Failure(sentence, options))).toBe(words);
});
