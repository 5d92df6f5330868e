import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { anyText } from "./any-text.js";

const found = (isWanted: (text: string) => boolean) =>
  fc.sample(anyText(), { numRuns: 2000, seed: 1 }).some(isWanted);

test("texts contain characters of all planes, and names that JavaScript treats in a special way", () => {
  expect(found((text) => /[\0-\x7f]/.test(text))).toBe(true);
  expect(found((text) => /[\ue000-\uffff]/.test(text))).toBe(true);
  expect(found((text) => /[\u{10000}-\u{10ffff}]/u.test(text))).toBe(true);
  expect(found((text) => text === "__proto__")).toBe(true);
});

test("texts are valid, and have the given length in characters", () => {
  const texts = fc.sample(anyText({ minLength: 3, maxLength: 4 }), 300);
  const valid = /^\P{Surrogate}{3,4}$/su;
  expect(texts.filter((text) => !valid.test(text))).toEqual([]);
});

test("a text becomes shorter until the property holds", () => {
  const { counterexample } = fc.check(
    fc.property(anyText(), (text) => !/^..+$/su.test(text)),
  );
  expect(counterexample?.[0]).toMatch(/^..$/su);
});
