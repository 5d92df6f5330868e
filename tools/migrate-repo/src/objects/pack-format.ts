import { deflateSync } from "node:zlib";

/** The types of objects that a pack holds whole, not as deltas (gitformat-pack(5), "Object types"). */
export type PackedType = "commit" | "tree" | "blob" | "tag";

const TYPE_NUMBERS: Readonly<Record<PackedType, number>> = {
  commit: 1,
  tree: 2,
  blob: 3,
  tag: 4,
};

/** Returns the header of a pack: `PACK`, version 2, and the number of objects (gitformat-pack(5)). */
export function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/**
 * Returns an object in the form of a pack: its type and length (four bits, then seven bits per byte), and its zlib
 * stream.
 * @param level the level of compression; 0: none
 */
export function packEntry(
  type: PackedType,
  content: Buffer,
  level?: 0,
): Buffer {
  return content.length < WORTH_DEFLATING
    ? storedEntry(type, content)
    : deflatedEntry(type, content, level);
}

/** A shorter content is mostly ids and a name: compression saves nothing, and would cost more than everything else. */
const WORTH_DEFLATING = 100;

function deflatedEntry(
  type: PackedType,
  content: Buffer,
  level: 0 | undefined,
): Buffer {
  // By default, each call allocates 16 kB for the result and 256 kB for itself. For most commits, a hundredth is
  // enough.
  const chunkSize = content.length + 64;
  const small = content.length <= 512 && { windowBits: 9, memLevel: 4 };
  return Buffer.concat([
    entryHead(type, content.length),
    deflateSync(content, { chunkSize, level, ...small }),
  ]);
}

/** Returns an entry with one stored block (RFC 1951, 3.2.4) in a zlib stream (RFC 1950). */
function storedEntry(type: PackedType, content: Buffer): Buffer {
  const { length } = content;
  const head = entryHead(type, length);
  const entry = Buffer.allocUnsafe(head.length + length + 11);
  let at = head.copy(entry);
  entry[at++] = 0x78;
  entry[at++] = 0x01;
  entry[at++] = 1;
  at = entry.writeUInt16LE(length, at);
  at = entry.writeUInt16LE(~length & 0xffff, at);
  at += content.copy(entry, at);
  entry.writeUInt32BE(adler32(content), at);
  return entry;
}

function entryHead(type: PackedType, length: number): Buffer {
  const head: number[] = [];
  let rest = Math.floor(length / 16);
  let byte = (TYPE_NUMBERS[type] << 4) | (length & 15);
  while (rest > 0) {
    head.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  head.push(byte);
  return Buffer.from(head);
}

/**
 * Returns the checksum at the end of a zlib stream (RFC 1950, 9). The content must have fewer than 5,552 bytes, so that
 * the sums need no remainder.
 */
function adler32(content: Buffer): number {
  let low = 1;
  let high = 0;
  for (const byte of content) {
    low += byte;
    high += low;
  }
  return ((high % 65521) * 65536 + (low % 65521)) >>> 0;
}
