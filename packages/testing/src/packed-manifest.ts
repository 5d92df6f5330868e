import { gzipSync } from "node:zlib";

/** The size of a block of a tar archive, in bytes. */
const BLOCK = 512;

/**
 * Packs a package that has only a package.json, as npm does: one file, `package/package.json`, in a gzipped ustar
 * archive.
 * @param manifest the text of package.json
 */
export function packManifest(manifest: string): Buffer {
  const body = Buffer.from(manifest);
  const header = Buffer.alloc(BLOCK);
  header.write("package/package.json", 0);
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${body.length.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\0", 257);
  header.write("00", 263);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padding = Buffer.alloc((BLOCK - (body.length % BLOCK)) % BLOCK);
  return gzipSync(
    Buffer.concat([header, body, padding, Buffer.alloc(2 * BLOCK)]),
  );
}
