import { expect, test } from "@jest/globals";
import { judgeBack, type Back, type FileFacts } from "./judge-back.js";

const A = "100644 a 0";
const B = "100644 b 0";
const C = "100644 c 0";

/** Entry before, after and now; the file in the working tree; whether the index is ours; the result. */
const table: readonly [
  string,
  string | undefined,
  string | undefined,
  string | undefined,
  FileFacts["file"],
  boolean,
  Back,
][] = [
  [
    "a new file, index as before",
    undefined,
    B,
    undefined,
    "new",
    false,
    "remove",
  ],
  ["a new file, index ours", undefined, B, B, "new", true, "remove"],
  [
    "a new file that the user staged",
    undefined,
    B,
    B,
    "new",
    false,
    "taken-over",
  ],
  [
    "a new file, staged with other content",
    undefined,
    B,
    C,
    "new",
    true,
    "taken-over",
  ],
  ["a new file, edited", undefined, B, undefined, "other", false, "edited"],
  ["a new file, edited, index ours", undefined, B, B, "other", true, "edited"],
  [
    "a new file, edited and staged",
    undefined,
    B,
    C,
    "other",
    true,
    "taken-over",
  ],
  ["a new file that is gone", undefined, B, B, "gone", true, "done"],
  ["a replaced file", A, B, A, "new", false, "restore"],
  ["a replaced file, index ours", A, B, B, "new", true, "restore"],
  [
    "a replaced file that the user committed",
    A,
    B,
    B,
    "new",
    false,
    "taken-over",
  ],
  ["a replaced file that is old again", A, B, A, "old", false, "done"],
  ["a replaced file, edited", A, B, A, "other", false, "edited"],
  ["a replaced file that is gone", A, B, A, "gone", false, "restore"],
  [
    "a replaced file whose removal the user staged",
    A,
    B,
    undefined,
    "gone",
    false,
    "done",
  ],
  ["a removed file", A, undefined, A, "gone", false, "restore"],
  [
    "a removed file, index ours",
    A,
    undefined,
    undefined,
    "gone",
    true,
    "restore",
  ],
  [
    "a removed file whose removal the user committed",
    A,
    undefined,
    undefined,
    "gone",
    false,
    "done",
  ],
  [
    "a removed file that the user wrote again",
    A,
    undefined,
    A,
    "other",
    false,
    "edited",
  ],
];

test.each(table)("%s", (_, old, after, now, file, isOurs, back) => {
  expect(judgeBack({ old, new: after, now, file }, isOurs)).toBe(back);
});
