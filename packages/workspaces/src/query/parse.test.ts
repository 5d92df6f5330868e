import { expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import { parseQuery } from "./parse.js";
import { printQuery } from "./print.test.support.js";
import type { Query } from "./syntax.js";

function printed(text: string): string {
  const parsed = parseQuery(text);
  return parsed.ok ? printQuery(parsed.query) : parsed.problem.kind;
}

test.each([
  ["@acme/ui", "@acme/ui"],
  ["my-long-name", "my-long-name"],
  ["@acme/{ui,web}", "@acme/{ui,web}"],
  ["./packages/ui/**", "./packages/ui/**"],
  ['"./a b/(c)"', '"./a b/(c)"'],
  ["'it''s'", "unexpected"],
  ["'it\\'s'", '"it\\\'s"'],
  ['"not"', '"not"'],
  ["a|b", "a | b"],
  ["a or b or c", "a | b | c"],
  ["(a | b) | (c | d)", "a | b | c | d"],
  ["a and b", "a & b"],
  ["a - b", "a - b"],
  ["a not b", "a - b"],
  ["a and not b", "a & not b"],
  ["not a & b", "not a & b"],
  ["not (a & b)", "not (a & b)"],
  ["not not a", "not not a"],
  ["a | b & c", "a | b & c"],
  ["(a | b) & c", "(a | b) & c"],
  ["a | b - c", "a | b - c"],
  ["a - b & c", "a - b & c"],
  ["a - (b & c)", "a - (b & c)"],
  ["((a))", "a"],
  ["owner(@acme/web)", "owner(@acme/web)"],
  ["tag( app )", "tag(app)"],
  ["affected ()", "affected()"],
  ["dependents(a | b, 2) - a", "dependents(a | b, 2) - a"],
  ["dependencies(dependents(a))", "dependencies(dependents(a))"],
])("%s is read as %s", (text, expected) => {
  expect(printed(text)).toBe(expected);
});

/** Generates any query, with arbitrary texts but without places. */
const { query } = fc.letrec<{ query: Query; single: Query }>((tie) => {
  const at = fc.constant({ start: 0, length: 0 });
  const text = fc.oneof(
    fc.constantFrom(
      "a",
      "@acme/ui",
      "@acme/*",
      "./x y",
      "not",
      "-",
      "or",
      "{a,b}",
    ),
    fc.string({ minLength: 1 }),
  );
  const of = tie("query");
  return {
    single: fc.oneof(
      { maxDepth: 4 },
      fc.record({ kind: fc.constant("pattern" as const), text, at }),
      fc.record({ kind: fc.constant("affected" as const), at }),
      fc.record({
        kind: fc.constantFrom("owner" as const, "tag" as const),
        text,
        at,
      }),
      fc.record({
        kind: fc.constantFrom("dependents" as const, "dependencies" as const),
        of,
        depth: fc.option(fc.integer({ min: 1, max: 99 }), { nil: undefined }),
        at,
      }),
      fc.record({ kind: fc.constant("complement" as const), of, at }),
      fc.record({
        kind: fc.constantFrom("intersection" as const, "difference" as const),
        left: of,
        right: of,
        at,
      }),
    ),
    query: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      tie("single"),
      fc.record({
        kind: fc.constant("union" as const),
        of: fc.array(tie("single"), { minLength: 2, maxLength: 4 }),
        at,
      }),
    ),
  };
});

const placeless = (tree: Query): unknown =>
  JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      key === "at" ? undefined : value,
    ),
  );

test("a printed query reads as the same query", () => {
  fc.assert(
    fc.property(query, (tree) => {
      const parsed = parseQuery(printQuery(tree));
      expect(parsed.ok && placeless(parsed.query)).toEqual(placeless(tree));
    }),
  );
});

test("any text has a result, and the positions in it are within the text", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "(",
      ")",
      ",",
      "|",
      "&",
      " - ",
      " not ",
      "a",
      "owner(",
      '"',
      "'",
      "!",
      " ",
      "dependents(",
    ),
    anyText({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.join("");
      const parsed = parseQuery(text);
      const { at } = parsed.ok ? parsed.query : parsed.problem;
      expect(at.start).toBeGreaterThanOrEqual(0);
      expect(at.start + at.length).toBeLessThanOrEqual(text.length + 1);
      if (parsed.ok)
        expect(printed(printQuery(parsed.query))).toBe(
          printQuery(parsed.query),
        );
    }),
  );
});

test("thousands of names are fine, and endless nesting is a problem, not a crash", () => {
  const names = Array.from({ length: 20_000 }, (_, index) => `p${index}`).join(
    " | ",
  );
  expect(printed(names)).toBe(names);
  expect(printed("(".repeat(100_000))).toBe("too-deep");
  expect(printed("not ".repeat(100_000))).toBe("too-deep");
  expect(printed("a - ".repeat(100_000))).toBe("too-deep");
});
