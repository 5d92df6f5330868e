import { expect, test } from "@jest/globals";
import { Column } from "./column.js";

test("a column returns its numbers, also after it grew and numbers were replaced", () => {
  const column = new Column();
  const wanted: number[] = [];
  for (let index = 0; index < 3000; index++) {
    column.push(index / 4);
    wanted.push(index / 4);
  }
  for (const [index, value] of [
    [0, Infinity],
    [1023, -1],
    [1024, 2 ** 53],
    [2999, 0.5],
  ] as const) {
    column.set(index, value);
    wanted[index] = value;
  }
  expect(column.length).toBe(3000);
  expect(wanted.map((_, index) => column.at(index))).toEqual(wanted);
});
