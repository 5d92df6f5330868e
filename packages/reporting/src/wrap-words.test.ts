import { expect, test } from "@jest/globals";
import { wrapWords } from "./wrap-words.js";

const LONG = "word ".repeat(12).trim();

test.each([
  ["short\nlines\n", "short\nlines\n"],
  [
    `affected: ${LONG}\n`,
    "affected: word word word word word word\n  word word word word word word\n",
  ],
  [
    `  @shop/web: ${LONG}\n`,
    "  @shop/web: word word word word word\n    word word word word word word word\n",
  ],
  [
    `  history      ${LONG}`,
    "  history      word word word word word\n               word word word word word\n               word word",
  ],
  [
    `hint: ${LONG}`,
    "hint: word word word word word word word\n      word word word word word",
  ],
  [
    `run \`yarn workspace @acme/app run test --watch\` once more`,
    "run\n  `yarn workspace @acme/app run test --watch`\n  once more",
  ],
  [
    `https://example.com/${"a".repeat(60)}`,
    `https://example.com/${"a".repeat(60)}`,
  ],
])("%j", (text, wrapped) => {
  expect(wrapWords(text, 40)).toBe(wrapped);
  expect(wrapWords(text, undefined)).toBe(text);
});
