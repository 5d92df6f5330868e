import { deflateSync } from "node:zlib";

/** Objects that are packed whole (gitformat-pack(5), "Object types"). */
export type PackedType = "commit" | "tree" | "blob" | "tag";

const TYPE_NUMBERS: Readonly<Record<PackedType, number>> = {
  commit: 1,
  tree: 2,
  blob: 3,
  tag: 4,
};

/** `PACK`, version 2, and how many objects follow (gitformat-pack(5)). */
export function packHeader(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.write("PACK", "latin1");
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(count, 8);
  return header;
}

/** An object as it stands in a pack: its type and length, seven bits a byte after the first four, and its zlib stream. */
export function packEntry(type: PackedType, content: Buffer): Buffer {
  const head: number[] = [];
  let rest = Math.floor(content.length / 16);
  let byte = (TYPE_NUMBERS[type] << 4) | (content.length & 15);
  while (rest > 0) {
    head.push(byte | 0x80);
    byte = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  head.push(byte);
  return Buffer.concat([Buffer.from(head), zlibStream(content)]);
}

/** Shorter contents are ids and a name: deflating saves nothing, and costs more than all the rest. */
const WORTH_DEFLATING = 100;

function zlibStream(content: Buffer): Buffer {
  if (content.length >= WORTH_DEFLATING) return deflateSync(content);
  // One stored block (RFC 1951, 3.2.4) in a zlib stream (RFC 1950).
  const stored = Buffer.alloc(content.length + 11);
  stored[0] = 0x78;
  stored[1] = 0x01;
  stored[2] = 1;
  stored.writeUInt16LE(content.length, 3);
  stored.writeUInt16LE(~content.length & 0xffff, 5);
  content.copy(stored, 7);
  stored.writeUInt32BE(adler32(content), content.length + 7);
  return stored;
}

/** The checksum at the end of a zlib stream (RFC 1950, 9); of less than 5,552 bytes, so that the sums need no remainder. */
function adler32(content: Buffer): number {
  let low = 1;
  let high = 0;
  for (const byte of content) {
    low += byte;
    high += low;
  }
  return ((high % 65521) * 65536 + (low % 65521)) >>> 0;
}
