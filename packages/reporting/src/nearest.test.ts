import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { didYouMean, editDistance, nearest } from "./nearest.js";

const names = [
  "@acme/ui",
  "@acme/utils",
  "@acme/api",
  "@other/ui",
  "web",
  "website",
];

test.each([
  ["@acme/iu", ["@acme/ui"]],
  ["ui", ["@acme/ui", "@other/ui"]],
  ["utls", ["@acme/utils"]],
  ["UI", ["@acme/ui", "@other/ui"]],
  ["wbe", ["web"]],
  ["webs", ["web", "website"]],
  ["wob", []],
  ["@acme/uj", ["@acme/ui"]],
  ["wobsite", ["website"]],
  ["zzzz", []],
  ["", []],
])("for %j: %j", (word, meant) => {
  expect(nearest(word, names)).toEqual(meant);
});

test("the order of the candidates doesn't matter", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.shuffledSubarray(names, { minLength: 6 }),
      (word, shuffled) => {
        expect(nearest(word, shuffled)).toEqual(nearest(word, names));
      },
    ),
  );
});

test.each([
  ["", "", 0],
  ["abc", "", 3],
  ["kitten", "sitting", 3],
  ["ab", "ba", 1],
  ["abcd", "badc", 2],
])("from %j to %j: %i edits", (a, b, edits) => {
  expect(editDistance(a, b)).toBe(edits);
});

const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 7 });

/** Computes the distance by its definition, with one call for each choice. */
function bySpelling(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [a1 = "", a2 = ""] = a;
  const [b1 = "", b2 = ""] = b;
  return Math.min(
    bySpelling(a.slice(1), b) + 1,
    bySpelling(a, b.slice(1)) + 1,
    bySpelling(a.slice(1), b.slice(1)) + (a1 === b1 ? 0 : 1),
    ...(a1 === b2 && a2 === b1 && a2 !== "" && b2 !== ""
      ? [bySpelling(a.slice(2), b.slice(2)) + 1]
      : []),
  );
}

test("the distance is the smallest number of edits; the limit only ends the search", () => {
  fc.assert(
    fc.property(word, word, fc.nat(4), (a, b, limit) => {
      const distance = bySpelling(a, b);
      expect(editDistance(a, b)).toBe(distance);
      const limited = editDistance(a, b, limit);
      if (distance <= limit) expect(limited).toBe(distance);
      else expect(limited).toBeGreaterThan(limit);
    }),
    { numRuns: 60 },
  );
});

test("the hint names similar words, and shows control characters", () => {
  expect(didYouMean("uii", ["@acme/ui", "web"])).toBe("did you mean @acme/ui?");
  expect(didYouMean("abcd\u001be", ["abcd\u001bf"])).toBe(
    String.raw`did you mean abcd\u001bf?`,
  );
  expect(didYouMean("server", ["@acme/ui"])).toBeUndefined();
});
