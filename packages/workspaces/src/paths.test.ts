import { expect, test } from "@jest/globals";
import { stemOf } from "./paths.js";

test("files that one reference may mean have one stem", () => {
  const stems = [
    "b/src/x.ts",
    "b/src/x.native.tsx",
    "b/src/x.d.ts",
    "b/src/x/index.js",
    "b/src/x/",
    "b/.env.local",
    "x",
    "b.c/y",
  ].map(stemOf);
  expect(stems).toEqual([
    ...Array.from({ length: 4 }, () => "b/src/x"),
    "b/src/x/",
    "b/.env",
    "x",
    "b.c/y",
  ]);
});
