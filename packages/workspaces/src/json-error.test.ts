import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { findJsonError } from "./json-error.js";

test.each<[text: string, line: number]>([
  ["", 1],
  ["\n \n", 3],
  ["oops", 1],
  ["{\n  oops\n}", 2],
  ['{\n  "a": oops\n}', 2],
  ['{\n  "a": }', 2],
  ['{\n  "a": 1,\n}', 3],
  ['{\n  "a": 1\n  "b": 2\n}', 3],
  ['{\n  "a" 1\n}', 2],
  ["[\n  1,\n  ]", 3],
  ["[\n  1\n}", 3],
  ['{\n  "a": [1, 2}\n}', 2],
  ['{\n  "a": "b\n}', 2],
  ['{\n  "a": "\\x"\n}', 2],
  ["{}\n{}", 2],
  ["{}\n]", 2],
  ["[\n01]", 2],
  ["[\ntru]", 2],
  ["[[],\n{},\n,]", 3],
  ["{\r\n1", 2],
])("%j breaks in line %i", (text, line) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(findJsonError(text).line).toBe(line);
});

test.each<[text: string, detail: string]>([
  ["{", "a name in double quotes or } is missing"],
  ['{ "a" }', "a colon is missing"],
  ['{ "a": }', "a value is missing"],
  ['{ "a": 1 "b" }', "a comma or the closing bracket is missing"],
  ['{ "a": 1, }', "a name in double quotes is missing"],
  ["[1", "a comma or the closing bracket is missing"],
  ["[", "a value or ] is missing"],
  ["{} {}", "there is more than one value"],
])("%s: %s", (text, detail) => {
  expect(findJsonError(text).detail).toBe(`not JSON: ${detail}`);
});

test("an invalid line in valid JSON is the line that is reported", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, at) => {
      const lines = JSON.stringify([JSON.parse(json)], null, 1).split("\n");
      const index = at % lines.length;
      lines.splice(index, 0, "~");
      expect(findJsonError(lines.join("\n")).line).toBe(index + 1);
    }),
  );
});
