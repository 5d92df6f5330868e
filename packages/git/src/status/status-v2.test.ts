import { describe, expect, test } from "@jest/globals";
import { transcript } from "@skein/testing";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { parseStatusV2 } from "./status-v2.js";

const A = "a".repeat(40);
const B = "b".repeat(40);
const C = "c".repeat(40);
const O = "0".repeat(40);

/** Lines, and their entries. */
const LINES = `
? new
  path=new kind=added origin=untracked
? nested/repository/
  path=nested/repository kind=added origin=untracked
1 A. N... 000000 100644 100644 ${O} ${B} staged
  path=staged kind=added origin=staged newMode=100644 newId=${B}
1 .A N... 000000 000000 100644 ${O} ${O} intended
  path=intended kind=added origin=unstaged newMode=100644
1 MD N... 100644 100755 000000 ${A} ${B} two steps
  path=two steps kind=modified origin=staged oldMode=100644 newMode=100755 oldId=${A} newId=${B}
  path=two steps kind=deleted origin=unstaged oldMode=100755 oldId=${B}
1 .T N... 100644 100644 120000 ${A} ${A} link
  path=link kind=type-changed origin=unstaged oldMode=100644 newMode=120000 oldId=${A}
1 .M S.MU 160000 160000 160000 ${A} ${A} sub
  path=sub kind=modified origin=unstaged oldMode=160000 newMode=160000 oldId=${A}
u UU N... 100644 100644 100644 100644 ${A} ${B} ${C} both
  path=both kind=unmerged origin=unstaged oldMode=100644 newMode=100644 oldId=${B}
u DU N... 100644 000000 100644 000000 ${A} ${O} ${C} theirs
  path=theirs kind=unmerged origin=unstaged
`;

describe("one line", () => {
  test.each(transcript(LINES))("%j", (line, entries) => {
    expect(parseStatusV2(Buffer.from(`${line}\0`))).toEqual({
      head: undefined,
      entries,
    });
  });
});

test("the header names the commit; other headers are ignored", () => {
  const text = `# branch.oid ${A}\0# branch.head main\0# stash 2\0`;
  expect(parseStatusV2(Buffer.from(text))).toEqual({ head: A, entries: [] });
});

test("before the first commit, head is undefined", () => {
  expect(parseStatusV2(Buffer.from("# branch.oid (initial)\0"))).toEqual({
    head: undefined,
    entries: [],
  });
});

test.each(["1 garbage\0", "u garbage\0", "! ignored\0", "2 R. renamed\0"])(
  "unexpected output is refused: %j",
  (text) => {
    expect(() => parseStatusV2(Buffer.from(text))).toThrow("not git's status");
  },
);

/** Any path that a file can have in git: not empty, without NUL or a final slash. */
const filePath = anyText({ minLength: 1, maxLength: 4096 }).map(
  (name) => `${name.replaceAll("\0", "\n")}.`,
);

test("every name is read exactly", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(2), filePath)), (lines) => {
      const heads = [
        "? ",
        `1 M. N... 100644 100644 100644 ${A} ${B} `,
        `u UU N... 100644 100644 100644 100644 ${A} ${B} ${C} `,
      ];
      const text = lines.map(([head, path]) => `${heads[head] ?? ""}${path}\0`);
      expect(
        parseStatusV2(Buffer.from(text.join(""))).entries.map(
          ({ path }) => path,
        ),
      ).toEqual(lines.map(([, path]) => path));
    }),
  );
});
