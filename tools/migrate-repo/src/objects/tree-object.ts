/** One name of a tree: a tree, a blob, a symlink or a submodule. */
export interface TreeEntry {
  /** Six digits as git prints them; `040000` is a folder. */
  readonly mode: string;
  readonly id: string;
}

/** The mode of a folder. */
export const FOLDER = "040000";

/** The empty tree, by both object formats: git stores no empty folder. */
export const EMPTY_TREES: readonly string[] = [
  "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
];

/** @param idLength hexadecimal digits of an id: 40 or 64 */
export function emptyTree(idLength: number): string {
  const found = EMPTY_TREES.find(({ length }) => length === idLength);
  if (found === undefined) throw new Error(`no ids have ${idLength} digits`);
  return found;
}

/** Git once wrote 100664 and the like; it knows two modes of files now (git-fast-import(1), "filemodify"). */
export function canonicalMode(mode: string): string {
  if (!mode.startsWith("100")) return mode;
  return (parseInt(mode, 8) & 0o100) === 0 ? "100644" : "100755";
}

/**
 * Reads a tree object: `<mode> <name>\0<id bytes>`, again and again. Names have one character a byte.
 * @param idLength bytes of an id: 20 or 32
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
 * Writes a tree object, its names in git's order: bytes, a folder as if its name ended in `/`.
 * @param entries by name, one character a byte
 */
export function formatTree(
  entries: Iterable<readonly [string, TreeEntry]>,
): Buffer {
  const named = [...entries].map(([name, { mode, id }]) => ({
    head: `${mode.startsWith("0") ? mode.slice(1) : mode} ${name}\0`,
    sortedAs: mode === FOLDER ? `${name}/` : name,
    id,
  }));
  // Characters are bytes here, so that comparing strings compares bytes.
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
