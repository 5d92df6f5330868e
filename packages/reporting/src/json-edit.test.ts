import { expect, test } from "@jest/globals";
import { setInJson } from "./json-edit.js";

test.each<[title: string, before: object, path: string[], after: object]>([
  [
    "a dependency, in Yarn's order",
    { dependencies: { a: "1", z: "1" }, files: [] },
    ["dependencies", "b"],
    { dependencies: { a: "1", b: "2", z: "1" }, files: [] },
  ],
  [
    "the first dependency, after the other fields",
    { name: "x", files: [] },
    ["dependencies", "b"],
    { name: "x", files: [], dependencies: { b: "2" } },
  ],
  [
    "the first development dependency, after the dependencies",
    { name: "x", dependencies: { a: "1" }, files: [] },
    ["devDependencies", "b"],
    {
      name: "x",
      dependencies: { a: "1" },
      devDependencies: { b: "2" },
      files: [],
    },
  ],
  [
    "a field, at the end",
    { name: "x", files: [] },
    ["license"],
    { name: "x", files: [], license: "2" },
  ],
])("inserts %s", (_, before, path, after) => {
  const text = (value: object) => JSON.stringify(value, null, 2);
  expect(setInJson(text(before), path, "2")).toBe(text(after));
});

test("keeps tabs, line ends and a byte order mark, and removes a field that is empty then", () => {
  const text =
    '\uFEFF{\r\n\t"name": "x",\r\n\t"dependencies": {\r\n\t\t"a": "1"\r\n\t}\r\n}\r\n';
  expect(setInJson(text, ["dependencies", "a"], undefined)).toBe(
    '\uFEFF{\r\n\t"name": "x"\r\n}\r\n',
  );
  expect(setInJson(text, ["dependencies", "b"], undefined)).toBe(text);
  expect(setInJson(text, ["license"], "MIT")).toBe(
    text.replace("\t}\r\n}", '\t},\r\n\t"license": "MIT"\r\n}'),
  );
});
