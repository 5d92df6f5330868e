import { stripVTControlCharacters } from "node:util";

// East Asian Wide and Fullwidth (Unicode 16, UAX 11) and emoji, decided by a grapheme's first character. The library
// string-width is exact, but costs 40 ms at start-up, half of the time that `affected list` may take. The tests compare
// both.
const classes = () => ({
  wide: /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|^\p{Extended_Pictographic}\ufe0f|^[\d#*]\ufe0f?\u20e3/u,
  unseen:
    /^[\p{Mn}\p{Me}\p{Default_Ignorable_Code_Point}\p{Control}\p{Cf}\p{Surrogate}]*$/u,
});
/** Created for the first text that isn't ASCII, because these classes take 3 ms. */
let made: ReturnType<typeof classes> | undefined;

/**
 * Returns the number of columns that a text takes on a terminal: 2 for wide characters and emoji, 0 for combining ones
 * and escape codes.
 */
export function displayWidth(text: string): number {
  // Almost every text is ASCII, and segmenting 5,000 names into graphemes would be slow.
  if (/^[ -~]*$/.test(text)) return text.length;
  const { wide, unseen } = (made ??= classes());
  let width = 0;
  for (const { segment } of new Intl.Segmenter().segment(
    stripVTControlCharacters(text),
  ))
    width += unseen.test(segment) ? 0 : wide.test(segment) ? 2 : 1;
  return width;
}

/** Pads a text with spaces to a width in columns. A wider text is not cut. */
export function padTo(
  text: string,
  width: number,
  align: "left" | "right" = "left",
): string {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + fill : fill + text;
}

/** Cuts a text to at most `width` columns (at least 1). The last of them is `…` if something was cut. */
export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += displayWidth(segment);
    if (used > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}
