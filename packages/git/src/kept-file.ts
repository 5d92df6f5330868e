import { randomUUID } from "node:crypto";
import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { crc32 } from "node:zlib";

/**
 * Reads a file that `writeKept` wrote.
 * @returns its bytes, which start at a multiple of four in their ArrayBuffer; undefined if the file is missing or
 *   damaged
 */
export function readKept(file: string): Buffer | undefined {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch {
    return undefined;
  }
  if (bytes.length < 8 || bytes.readUInt32LE(0) !== bytes.length)
    return undefined;
  const body = bytes.subarray(8);
  if (bytes.readUInt32LE(4) !== crc32(body)) return undefined;
  // Node reads small files into a shared pool at any offset. Columns need an offset that is a multiple of four.
  return bytes.byteOffset % 4 === 0
    ? body
    : Buffer.from(new Uint8Array(body).buffer);
}

/**
 * Caches bytes for later runs, with their length and checksum. It writes a temporary file and renames it, so readers
 * never see an incomplete write or one of a concurrent writer. If the disk is not writable, nothing is cached and no
 * file stays behind.
 */
export function writeKept(file: string, body: Buffer): void {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length + 8, 0);
  head.writeUInt32LE(crc32(body), 4);
  const temporary = `${file}.${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(temporary, Buffer.concat([head, body]), { flag: "wx" });
    renameSync(temporary, file);
  } catch {
    // The disk is read-only or full. The next run computes everything again: slower, but correct.
    remove(temporary);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // The file was never written.
  }
}
