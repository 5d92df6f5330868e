/**
 * Cuts NUL-terminated output into its fields. A name that is not UTF-8 is decoded as Node decodes the names of a
 * folder (with U+FFFD), so that both sides of a comparison read it alike.
 */
export function* splitNul(bytes: Buffer): Generator<string, undefined> {
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(0, start);
    if (end < 0) break;
    yield bytes.toString("utf8", start, end);
    start = end + 1;
  }
  if (start < bytes.length) yield bytes.toString("utf8", start);
}
