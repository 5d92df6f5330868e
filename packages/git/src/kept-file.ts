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
 * @returns its bytes, beginning at a multiple of four in their ArrayBuffer; undefined when it is not there or not whole
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
  // Small files come from a shared pool at any offset; columns need one that is a multiple of four.
  return bytes.byteOffset % 4 === 0
    ? body
    : Buffer.from(new Uint8Array(body).buffer);
}

/**
 * Keeps bytes for later runs, with their length and checksum. They go to a file of their own that is renamed, so a torn
 * write or a second writer never shows. Where nothing can be written nothing is kept, and nothing is left behind.
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
    // A read-only or full disk: the next run reads everything again, which is slower and as right.
    remove(temporary);
  }
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Then it was never written.
  }
}
