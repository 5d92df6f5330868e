/** Strings and columns of numbers in one buffer, which are used without copying. */
export interface Columns {
  readonly strings: readonly string[];
  readonly numbers: readonly Uint32Array[];
}

/** The separator of strings. A string that contains it cannot be stored. */
const NUL = "\0";

/**
 * Writes columns: their number, their lengths, the numbers, then all strings.
 * @returns undefined if a string cannot be stored
 */
export function writeColumns({
  strings,
  numbers,
}: Columns): Buffer | undefined {
  if (strings.some((string) => string.includes(NUL))) return undefined;
  const head = Uint32Array.from([
    strings.length,
    numbers.length,
    ...numbers.map(({ length }) => length),
  ]);
  return Buffer.concat([
    ...[head, ...numbers].map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
    Buffer.from(strings.join(NUL), "utf8"),
  ]);
}

/**
 * Reads the output of `writeColumns`.
 * @param bytes start at a multiple of four in their ArrayBuffer
 * @returns undefined for other bytes
 */
export function readColumns(bytes: Buffer): Columns | undefined {
  const words = new Uint32Array(
    bytes.buffer,
    bytes.byteOffset,
    Math.floor(bytes.length / 4),
  );
  const [count = 0, columns = 0] = words;
  const lengths = words.subarray(2, 2 + columns);
  let at = 2 + columns;
  const numbers = Array.from(lengths, (length) =>
    words.subarray(at, (at += length)),
  );
  const strings = bytes.toString("utf8", at * 4).split(NUL);
  return at <= words.length && strings.length === count
    ? { strings, numbers }
    : undefined;
}
