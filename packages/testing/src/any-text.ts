import fc from "fast-check";

/** The first surrogate, which isn't a character of its own, and the number of surrogates. */
const SURROGATES = { from: 0xd800, count: 0x800 };

/**
 * Any character. fast-check's own unit `binary` fills a map with all characters when it is first used, which takes two seconds
 * and a hundred megabytes.
 */
const character = fc.nat({ max: 0x10ffff - SURROGATES.count }).map(
  (index) =>
    String.fromCodePoint(
      index < SURROGATES.from ? index : index + SURROGATES.count,
    ),
  (text) => {
    if (typeof text !== "string" || !/^\P{Surrogate}$/su.test(text))
      throw new Error("not one character");
    const code = text.codePointAt(0) ?? 0;
    return code < SURROGATES.from ? code : code - SURROGATES.count;
  },
);

/** Generates texts of any characters, and texts that are often handled wrongly, such as `__proto__`. */
export function anyText(
  length: { readonly minLength?: number; readonly maxLength?: number } = {},
): fc.Arbitrary<string> {
  return fc.string({ ...length, unit: character });
}
