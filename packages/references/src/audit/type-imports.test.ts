import { expect, test } from "@jest/globals";
import { isTypeImport } from "./type-imports.js";

test.each([
  ['import type { A } from "x";', true],
  ['import type A from "x";', true],
  ['import type * as a from "x";', true],
  ['export type { A } from "x";', true],
  ['export type * from "x";', true],
  ['import { type A, type B as C, } from "x";', true],
  ['import type {\n  A,\n  B,\n} from "x";', true],
  ['import a from "y";\nimport type { A } from "x";', true],
  ['import a from "y"\nimport type { A } from "x"', true],
  ['const a = 1; import type { A } from "x";', true],
  ['import type { A } from "y";\nimport { b } from "x";', false],
  ['import type { A } from "y"\nimport "x"', false],
  ['import { A } from "x";', false],
  ['import { type A, b } from "x";', false],
  ['import a, { type A } from "x";', false],
  ['import type from "x";', false],
  ['import type, { A } from "x";', false],
  ['import {} from "x";', false],
  ['import "x";', false],
  ['import("x");', false],
  ['export * from "x";', false],
  ['const type = require("x");', false],
])("%j", (text, isType) => {
  const lines = text.split("\n");
  const place = {
    line: lines.length,
    column: (lines.at(-1) ?? "").lastIndexOf("x") + 1,
  };
  expect(isTypeImport(text, place)).toBe(isType);
});
