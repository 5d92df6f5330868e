/** An entry of a tree: a folder, a file, a symlink or a submodule. */
export interface TreeEntry {
  /** Six digits, as git prints them; `040000` is a folder. */
  readonly mode: string;
  readonly id: string;
}

/** The mode of a folder. */
export const FOLDER = "040000";

/** The ids of the empty tree in both object formats. Git stores no empty folder. */
export const EMPTY_TREES: readonly string[] = [
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/** Returns the id of the empty tree. @param idLength the number of hexadecimal digits of an id: 40 or 64 */
export function emptyTree(idLength: number): string {
  const found = EMPTY_TREES.find(({ length }) => length === idLength);
  if (found === undefined) throw new Error(`no ids have ${idLength} digits`);
  return found;
}

/**
 * Returns the current form of a file's mode. Old versions of git wrote 100664 and similar; now there are two modes of
 * files (git-fast-import(1), "filemodify").
 */
export function canonicalMode(mode: string): string {
  if (!mode.startsWith("100")) return mode;
  return (parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}

/**
 * Parses a tree object, which repeats `<mode> <name>\0<id bytes>`. Names have one character per byte.
 * @param idLength the number of bytes of an id: 20 or 32
 */
export function parseTree(
  content: Buffer,
  idLength: number,
): Map<string, TreeEntry> {
  const entries = new Map<string, TreeEntry>();
  let at = 0;
  while (at < content.length) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    entries.set(content.toString("latin1", space + 1, zero), {
      mode: content.toString("latin1", at, space).padStart(6, "0"),
      id: content.toString("hex", zero + 1, zero + 1 + idLength),
    });
    at = zero + 1 + idLength;
  }
  return entries;
}

/**
 * Formats a tree object, with names in git's order: by bytes, and a folder as if its name ended in `/`.
 * @param entries by name, with one character per byte
 */
export function formatTree(
  entries: Iterable<readonly [string, TreeEntry]>,
): Buffer {
  const named = [...entries].map(([name, { mode, id }]) => ({
    head: `${mode.startsWith("0") ? mode.slice(1) : mode} ${name}\0`,
    sortedAs: mode === FOLDER ? `${name}/` : name,
    id,
  }));
  // Each character is a byte here, so comparing strings compares bytes.
  if (named.length > 1)
    named.sort((a, b) => (a.sortedAs < b.sortedAs ? -1 : 1));
  const lengths = named.map(({ head, id }) => head.length + id.length / 2);
  const tree = Buffer.allocUnsafe(lengths.reduce((sum, each) => sum + each, 0));
  let at = 0;
  for (const { head, id } of named) {
    at += tree.write(head, at, "latin1");
    at += tree.write(id, at, "hex");
  }
  return tree;
}
