import { expect, test } from "@jest/globals";
import { findPlace } from "./find-place.js";

test.each<[string, { file: string; line: number } | undefined]>([
  ["1634 !== 1635", undefined],
  [
    "    at Object.<anonymous> (/shop/packages/cart/index.test.js:7:8)",
    { file: "packages/cart/index.test.js", line: 7 },
  ],
  [
    "    at f (node:assert:124:3)\n    at g (/shop/node_modules/chai/index.js:1:2)\n    at h (file:///shop/apps/web/a.mjs:30:1)",
    { file: "apps/web/a.mjs", line: 30 },
  ],
  [
    "src/total.ts(12,5): error TS2322: Type 'string'",
    { file: "packages/cart/src/total.ts", line: 12 },
  ],
  [
    "\u001b[31m❯\u001b[0m src/\u001b[1mtotal.test.tsx\u001b[0m:4:2",
    { file: "packages/cart/src/total.test.tsx", line: 4 },
  ],
  ["../money/index.js:3", { file: "packages/money/index.js", line: 3 }],
  ["/etc/passwd.js:1:1 and ../../../x.js:1:1", undefined],
  ["at 12:30:45 version 1.2.3", undefined],
])("%j", (log, place) => {
  expect(findPlace(log, { root: "/shop", dir: "packages/cart" })).toEqual(
    place,
  );
});
