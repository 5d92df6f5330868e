/**
 * Splits NUL-terminated output into its fields. It decodes a name that isn't UTF-8 as Node decodes names of files (with
 * U+FFFD), so that both sides of a comparison read it alike.
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
