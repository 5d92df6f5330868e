import { expect, test } from "@jest/globals";
import { columnOf } from "./units.js";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const oneLine = (text: string) => text.replace(/\s+/g, " ");

test.each<[string, readonly (number | null)[], string, readonly string[]]>([
  ["minutes and hours", [5 * MINUTE, 3.6 * HOUR], "min", ["5", "216"]],
  ["only hours", [4 * HOUR, 90 * MINUTE], "h", ["4", "1.5"]],
  ["days and hours", [100 * HOUR, 5 * HOUR], "d", ["4.2", "0.2"]],
  ["days and an hour", [1000 * HOUR, HOUR], "h", ["1,000", "1"]],
  ["seconds and minutes", [74 * SECOND, 5 * MINUTE], "min", ["1.2", "5"]],
  ["only zeros", [0, null, 5 * HOUR], "h", ["0", "5"]],
  ["spans below all units", [10], "s", ["0"]],
])("%s share one unit", (_, spans, unit, shown) => {
  const column = columnOf(spans);
  expect(oneLine(column.head("P90").text)).toBe(
    `P90 <span class="unit">(${unit})</span>`,
  );
  const known = spans.filter((ms) => ms !== null);
  expect(known.map((ms) => column.show(ms))).toEqual(shown);
});

test("an empty column has no unit, and a bound is marked", () => {
  expect(oneLine(columnOf([null]).head("P90").text)).toBe(
    'P90 <span class="unit"></span>',
  );
  expect(columnOf([MINUTE * 9]).show(MINUTE * 9, true)).toBe("≥ 9");
});
