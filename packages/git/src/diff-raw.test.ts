import { describe, expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { parseDiffRaw } from "./diff-raw.js";

const A = "a".repeat(40);
const B = "b".repeat(40);
const O = "0".repeat(40);

describe("one record", () => {
  test.each([
    [
      `:000000 100644 ${O} ${B} A\0new\0`,
      { path: "new", kind: "added", newMode: "100644", newId: B },
    ],
    [
      `:100644 000000 ${A} ${O} D\0old\0`,
      { path: "old", kind: "deleted", oldMode: "100644", oldId: A },
    ],
    [
      `:100644 100755 ${A} ${A} M\0run\0`,
      {
        path: "run",
        kind: "modified",
        oldMode: "100644",
        newMode: "100755",
        oldId: A,
        newId: A,
      },
    ],
    [
      `:100644 120000 ${A} ${B} T\0link\0`,
      {
        path: "link",
        kind: "type-changed",
        oldMode: "100644",
        newMode: "120000",
        oldId: A,
        newId: B,
      },
    ],
    [
      `:160000 160000 ${A} ${B} M\0sub\0`,
      {
        path: "sub",
        kind: "modified",
        oldMode: "160000",
        newMode: "160000",
        oldId: A,
        newId: B,
      },
    ],
    [`:000000 000000 ${O} ${O} U\0both\0`, { path: "both", kind: "unmerged" }],
  ])("%j", (text, expected) => {
    expect(parseDiffRaw(Buffer.from(text))).toEqual([expected]);
  });
});

test("empty output has no changes", () => {
  expect(parseDiffRaw(Buffer.alloc(0))).toEqual([]);
});

test("two names that aren't UTF-8 are two changes", () => {
  const record = (byte: number) =>
    Buffer.concat([
      Buffer.from(`:000000 100644 ${O} ${B} A\0f`),
      Buffer.from([byte, 0]),
    ]);
  expect(
    parseDiffRaw(Buffer.concat([record(0xff), record(0xfe)])).map(
      ({ path }) => path,
    ),
  ).toEqual(["f\ufffd", "f\ufffd"]);
});

test.each([
  "garbage\0",
  `:100644 100644 ${A} ${B} R100\0a\0b\0`,
  `:100644 100644 ${A} ${B} M\0`,
])("output that isn't git's is refused: %j", (text) => {
  expect(() => parseDiffRaw(Buffer.from(text))).toThrow("not git's raw diff");
});

/** Any name that a file can have in git: not empty, and without NUL. */
const fileName = anyText({ minLength: 1, maxLength: 4096 }).map((name) =>
  name.replaceAll("\0", "\n"),
);

test("every name is read exactly", () => {
  fc.assert(
    fc.property(fc.array(fileName), (names) => {
      const text = names
        .map((name) => `:100644 100644 ${A} ${B} M\0${name}\0`)
        .join("");
      expect(parseDiffRaw(Buffer.from(text)).map(({ path }) => path)).toEqual(
        names,
      );
    }),
  );
});
