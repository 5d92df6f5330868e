/** The lengths of the columns: eight numbers at the beginning of the stored file. */
export interface Sizes {
  readonly nodes: number;
  readonly files: number;
  readonly rows: number;
  /** Counts of package names' nodes, of manifests, of rows that may leave their package, and of rows that only guess. */
  readonly packages: number;
  readonly manifests: number;
  readonly leaving: number;
  readonly guesses: number;
  readonly strings: number;
  /** A power of two. */
  readonly slots: number;
  /** Bytes of all strings, with a NUL between them. */
  readonly text: number;
  /** 20 for SHA-1, 32 for SHA-256. */
  readonly idBytes: number;
}

/** The columns of a table, as views of its bytes. */
export interface Columns {
  readonly sizes: Sizes;
  readonly nodeParent: Uint32Array;
  readonly nodeName: Uint32Array;
  /** The index in `rowsByNode` of each node's first row. */
  readonly nodeRows: Uint32Array;
  readonly rowsByNode: Uint32Array;
  /** Open-addressing hash table of nodes: 0 is free, else node + 1. */
  readonly slots: Uint32Array;
  readonly fileNode: Uint32Array;
  readonly fileRows: Uint32Array;
  /** 0, or 1 + the number of the string that says why the file could not be parsed. */
  readonly fileNote: Uint32Array;
  readonly rowFile: Uint32Array;
  readonly rowSpecifier: Uint32Array;
  readonly rowTarget: Uint32Array;
  /** The kind's number, with PARTIAL, FROM_FILE, OPENED and SEARCHED. */
  readonly rowInfo: Uint32Array;
  readonly rowLine: Uint32Array;
  readonly rowColumn: Uint32Array;
  /** The end of each string in `text`. */
  readonly stringEnds: Uint32Array;
  readonly packageNodes: Uint32Array;
  /** Folders that contain a package.json: their nodes, and their paths as strings. */
  readonly manifestNodes: Uint32Array;
  readonly manifestPaths: Uint32Array;
  /** Rows that may leave their package. The files and targets of the others are below the same nearest manifest. */
  readonly leavingRows: Uint32Array;
  /** Rows whose paths may begin at another folder than their file's. */
  readonly guessRows: Uint32Array;
  readonly ids: Buffer;
  readonly text: Buffer;
}

const numberColumns = ({
  nodes,
  files,
  rows,
  packages,
  manifests,
  leaving,
  guesses,
  strings,
  slots,
}: Sizes) =>
  ({
    nodeParent: nodes,
    nodeName: nodes,
    nodeRows: nodes + 1,
    rowsByNode: rows,
    slots,
    fileNode: files,
    fileRows: files + 1,
    fileNote: files,
    rowFile: rows,
    rowSpecifier: rows,
    rowTarget: rows,
    rowInfo: rows,
    rowLine: rows,
    rowColumn: rows,
    stringEnds: strings,
    packageNodes: packages,
    manifestNodes: manifests,
    manifestPaths: manifests,
    leavingRows: leaving,
    guessRows: guesses,
  }) satisfies Partial<Record<keyof Columns, number>>;

/** Returns the number of bytes of a table of these sizes. */
export function bytesOf(sizes: Sizes): number {
  const numbers = Object.values(numberColumns(sizes)).reduce(
    (a, b) => a + b,
    0,
  );
  return numbers * 4 + sizes.files * sizes.idBytes + sizes.text;
}

/**
 * Creates the columns as views of bytes, without copying.
 * @param bytes exactly `bytesOf(sizes)` bytes, which begin at a multiple of four in their ArrayBuffer
 */
export function columnsOf(bytes: Buffer, sizes: Sizes): Columns {
  let at = 0;
  const numbers = {} as Record<string, Uint32Array>;
  for (const [name, length] of Object.entries(numberColumns(sizes))) {
    numbers[name] = new Uint32Array(
      bytes.buffer,
      bytes.byteOffset + at,
      length,
    );
    at += length * 4;
  }
  const ids = bytes.subarray(at, at + sizes.files * sizes.idBytes);
  const text = bytes.subarray(at + ids.length, at + ids.length + sizes.text);
  return {
    sizes,
    ids,
    text,
    ...(numbers as Record<keyof ReturnType<typeof numberColumns>, Uint32Array>),
  };
}
