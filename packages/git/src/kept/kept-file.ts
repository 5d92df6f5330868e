import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
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
 * Caches bytes for later runs, with their length and checksum. It writes a draft in a temporary folder and renames it, so
 * readers never see an incomplete write or one of a concurrent writer. If the disk is not writable, nothing is cached and
 * no file stays behind. It is synchronous, unlike `replaceFile`: the process may end as soon as it has its answer.
 */
export function writeKept(file: string, body: Buffer): void {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(body.length + 8, 0);
  head.writeUInt32LE(crc32(body), 4);
  let folder: string | undefined;
  try {
    mkdirSync(dirname(file), { recursive: true });
    // The system chooses a name that no other process uses.
    folder = mkdtempSync(`${file}.`);
    const draft = join(folder, "draft");
    writeFileSync(draft, Buffer.concat([head, body]), { flag: "wx" });
    renameSync(draft, file);
    rmdirSync(folder);
  } catch {
    // The disk is read-only or full. The next run computes everything again: slower, but correct.
    if (folder !== undefined) remove(folder);
  }
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // The disk became read-only.
  }
}
