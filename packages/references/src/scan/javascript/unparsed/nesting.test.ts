import { expect, test } from "@jest/globals";
import { nestsTooDeeply } from "./nesting.js";

const times = (text: string, count: number) => text.repeat(count);

test.each<[title: string, code: string, isDeep: boolean]>([
  ["1,000 brackets in one another", times("[", 1000), false],
  ["1,001 brackets in one another", times("[(", 500) + "{", true],
  ["many beside one another", times("f([{}]);\n", 5000), false],
  ["closing brackets alone", times("})]", 5000) + times("(", 1000), false],
  ["a page of elements", times("<p>a<br/>b</p>\n", 5000), false],
  ["elements in one another", times("<p>", 3001), true],
  ["conditions of statements", times("x = a ? b : c;", 5000), false],
  ["conditions in one another", times("a ? b : ", 3001), true],
  ["functions of a list", times("() => 1, ", 5000), false],
  ["functions of a body", times("{ () => 1 }\n", 5000), false],
  ["functions in one another", times("a => ", 3001), true],
])("%s", (_, code, isDeep) => expect(nestsTooDeeply(code)).toBe(isDeep));
