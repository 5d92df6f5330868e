/** A tracked file that git is configured not to check. */
export interface UncheckedEntry {
  /** From the top of the repository. In a sparse index, a folder with a final `/` means all its files. */
  readonly path: string;
  /** Six octal digits. */
  readonly mode: string;
  /** The content in the index. */
  readonly id: string;
  /** True for the flag `--skip-worktree`, which sparse checkouts set, too. False for `--assume-unchanged`. */
  readonly isSkipped: boolean;
}

/** The length of an entry before the id of its content, in bytes: times, device, inode, mode, owner and size, four bytes each. */
const STAT = 40;
/** The position of the mode in these bytes. */
const MODE = 24;
const ASSUMED = 0x8000;
const EXTENDED = 0x4000;
/** The bits with the length of the name; longer names have this length, too. */
const LENGTH = 0xfff;
/** A bit of the extended flags. */
const SKIPPED = 0x4000;
/** The length of the header, in bytes: a signature, the version, the number of entries. */
const HEAD = 12;

/**
 * Lists the entries of an index that have the flags `--assume-unchanged` or `--skip-worktree`. Pure
 * (gitformat-index(5)).
 * @param index the file's bytes
 * @returns undefined if the file has another form, or if it is only a part of a split index
 */
export function uncheckedEntries(
  index: Buffer,
): readonly UncheckedEntry[] | undefined {
  // The file doesn't contain the length of its ids. With the wrong length, the parts don't fill the file.
  return readWith(index, 20) ?? readWith(index, 32);
}

function readWith(
  index: Buffer,
  idLength: number,
): readonly UncheckedEntry[] | undefined {
  if (
    index.length < HEAD + idLength ||
    index.toString("latin1", 0, 4) !== "DIRC"
  )
    return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  const end = index.length - idLength;
  const found: UncheckedEntry[] = [];
  let name: Buffer = Buffer.alloc(0);
  let at = HEAD;
  for (let left = count; left > 0; left--) {
    const flagsAt = at + STAT + idLength;
    if (flagsAt + 4 > end) return undefined;
    const flags = wordAt(index, flagsAt);
    const isExtended = (flags & EXTENDED) !== 0;
    const isSkipped =
      isExtended && (wordAt(index, flagsAt + 2) & SKIPPED) !== 0;
    let nameAt = flagsAt + (isExtended ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      // The name continues the previous name, after that loses this many bytes at its end.
      let byte = index[nameAt++] ?? 0;
      let cut = byte & 127;
      while (byte & 128) {
        byte = index[nameAt++] ?? 0;
        cut = ((cut + 1) << 7) | (byte & 127);
      }
      kept = name.length - cut;
    }
    const length = flags & LENGTH;
    const nameEnd =
      length === LENGTH ? index.indexOf(0, nameAt) : nameAt + length - kept;
    if (kept < 0 || nameEnd < nameAt || nameEnd >= end || index[nameEnd] !== 0)
      return undefined;
    const isUnchecked = isSkipped || (flags & ASSUMED) !== 0;
    if (version === 4)
      name = Buffer.concat([
        name.subarray(0, kept),
        index.subarray(nameAt, nameEnd),
      ]);
    if (isUnchecked)
      found.push({
        path:
          version === 4
            ? name.toString("utf8")
            : index.toString("utf8", nameAt, nameEnd),
        mode: index
          .readUInt32BE(at + MODE)
          .toString(8)
          .padStart(6, "0"),
        id: index.toString("hex", at + STAT, flagsAt),
        isSkipped,
      });
    // Up to version 3, one to eight zero bytes follow, so that the length of an entry is a multiple of eight.
    at = version === 4 ? nameEnd + 1 : at + (((nameEnd - at) >> 3) + 1) * 8;
  }
  return isWhole(index, at, end) ? found : undefined;
}

/** Reads two bytes. A large project has a hundred thousand entries, for which Buffer's own methods take three times as long. */
function wordAt(bytes: Buffer, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Returns whether extensions fill the rest of the file. Each has a name of four letters, a length, and as many bytes. */
function isWhole(index: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at < end) {
    if (at + 8 > end) return false;
    const name = index.toString("latin1", at, at + 4);
    // The extension "link" marks a split index, whose other part is in another file.
    if (!/^[A-Za-z]{4}$/.test(name) || name === "link") return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}
