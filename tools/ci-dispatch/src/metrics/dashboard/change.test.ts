import { expect, test } from "@jest/globals";
import type { Change } from "@skein/delivery-metrics";
import { changeCell, changeLine } from "./change.js";

const side = { n: 30, ms: 60_000, atLeast: false };
const change = (
  percent: number | null,
  interval: Change["interval"],
): Change => ({ of: "headline", before: side, after: side, percent, interval });

const text = (html: { readonly text: string } | undefined) =>
  html?.text
    .replace(/\s+/g, " ")
    .replace(/ >/g, ">")
    .replace(/> | </g, (tag) => tag.trim());

test.each<[string, Change, string, string | undefined]>([
  [
    "clearly less",
    change(-12.34, { low: -20, high: -0.1 }),
    '<b class="good">↓ −12.3 %</b><small>−20.0 % to −0.1 %</small>',
    '<p class="change good"><b>↓ −12.3 %</b>against the window up to 9 Mar 2026<small>95 % confidence interval −20.0 % to −0.1 %</small></p>',
  ],
  [
    "clearly more",
    change(5, { low: 1, high: 9 }),
    '<b class="bad">↑ +5.0 %</b><small>+1.0 % to +9.0 %</small>',
    '<p class="change bad"><b>↑ +5.0 %</b>against the window up to 9 Mar 2026<small>95 % confidence interval +1.0 % to +9.0 %</small></p>',
  ],
  [
    "an interval that includes 0",
    change(-12.7, { low: -21.7, high: 0 }),
    '<span class="quiet">no clear change</span><small>−21.7 % to 0.0 %</small>',
    '<p class="change quiet"><b>no clear change</b>against the window up to 9 Mar 2026<small>95 % confidence interval −21.7 % to 0.0 %</small></p>',
  ],
  [
    "a stored report, which has no interval",
    change(-12.7, null),
    '<b class="quiet">−12.7 %</b>',
    '<p class="change quiet"><b>−12.7 %</b>against the window up to 9 Mar 2026<small>no interval: the earlier report contains no values</small></p>',
  ],
  [
    "a stage that took no time before",
    { ...change(null, null), before: { ...side, ms: 0 } },
    '<span class="quiet">from 0</span>',
    undefined,
  ],
  [
    "a bound",
    change(null, null),
    '<span class="quiet">unknown</span>',
    undefined,
  ],
])("%s", (_, each, cell, line) => {
  expect(text(changeCell(each))).toBe(cell);
  expect(text(changeLine(each, "9 Mar 2026"))).toBe(line);
});
