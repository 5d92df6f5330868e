/** The columns of numbers, in the order of the file. Texts are numbers of strings, and packages are rows of `packageName`. */
const NAMES = [
  "packageName",
  "packageDir",
  /** The row of each package's first dependency, and the end of the last package's. */
  "packageDependencies",
  "dependencyIdent",
  "dependencyRange",
  /** The field's number, with OPTIONAL. */
  "dependencyField",
  "edgeFrom",
  "edgeTo",
  "edgeKind",
  "edgeEvidence",
  /** The index in `edgesByTarget` of the first edge to each package, and the end of the last package's. */
  "packageEdges",
  "edgesByTarget",
  "targetWorkspace",
  "targetPath",
  "targetEvidence",
  "unmatchedGlob",
  "namingWorkspace",
  "namedName",
] as const;

/** Strings and columns of numbers in one buffer, which are used without copying. */
export interface Columns {
  readonly strings: readonly string[];
  readonly numbers: Readonly<Record<(typeof NAMES)[number], Uint32Array>>;
}

/** The separator of strings. A string that contains it cannot be stored. */
const NUL = "\0";

/**
 * Writes columns: the number of strings, the number of columns, their lengths, the numbers, then all strings.
 * @returns undefined if a string cannot be stored
 */
export function writeColumns({
  strings,
  numbers,
}: Columns): Buffer | undefined {
  if (strings.some((string) => string.includes(NUL))) return undefined;
  const columns = NAMES.map((name) => numbers[name]);
  const head = Uint32Array.from([
    strings.length,
    columns.length,
    ...columns.map(({ length }) => length),
  ]);
  return Buffer.concat([
    ...[head, ...columns].map(({ buffer, byteOffset, byteLength }) =>
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
  if (columns !== NAMES.length) return undefined;
  let at = 2 + columns;
  const numbers = Object.fromEntries(
    NAMES.map((name, index) => [
      name,
      words.subarray(at, (at += words[2 + index] ?? 0)),
    ]),
  ) as Record<(typeof NAMES)[number], Uint32Array>;
  const strings = bytes.toString("utf8", at * 4).split(NUL);
  return at <= words.length && strings.length === count
    ? { strings, numbers }
    : undefined;
}
