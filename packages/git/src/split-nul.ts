/**
 * Splits NUL-terminated output into its fields. It decodes a name that isn't UTF-8 as Node decodes names of files (with
 * U+FFFD), so that both sides of a comparison read it alike.
 */
export function splitNul(bytes: Buffer): string[] {
  const fields = bytes.toString("utf8").split("\0");
  if (fields.at(-1) === "") fields.pop();
  return fields;
}
