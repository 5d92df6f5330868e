import { expect, test } from "@jest/globals";
import { lastLines } from "./failed-output.js";

test("the last 20 lines that aren't blank, without terminal codes, each cut to 300 characters", () => {
  const escape = String.fromCharCode(27);
  const many = Array.from({ length: 30 }, (_, index) => `line ${index}`);
  expect(lastLines(many.join("\n\n"))).toEqual(many.slice(10));
  expect(
    lastLines(`${escape}[31mred${escape}[0m  \r\n   \n${"x".repeat(400)}`),
  ).toEqual(["red", "x".repeat(300)]);
  expect(lastLines("\n \n")).toEqual([]);
});
