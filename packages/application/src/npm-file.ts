import { createReadStream } from "node:fs";
import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { certificates } from "@skein/testing";
import { runProgram } from "./process.js";

/** A file of a package on npm. */
interface NpmFile {
  /** `name@range` */
  readonly spec: string;
  /** Its path in the package. */
  readonly path: string;
  readonly mode?: number;
}

/**
 * Fetches packages by one start of npm, and unpacks one file of each. `npm pack` would list each package's files, and `npm
 * install` would unpack them all: 5,500 for two releases of Node.
 * @param folder a folder for npm's cache and the unpacked files
 * @param files the files, by the paths that they get below the folder
 */
export async function fetchNpmFiles(
  folder: string,
  files: Readonly<Record<string, NpmFile>>,
): Promise<void> {
  const cache = join(folder, "npm-cache");
  const specs = Object.values(files).map(({ spec }) => spec);
  const args = ["cache", "add", ...specs, "--cache", cache];
  const { exitCode, stderr } = await runProgram(
    { cwd: folder, env: certificates },
    "npm",
    ...args,
  );
  if (exitCode !== 0) throw new Error(stderr);
  const tarballs = await tarballsIn(join(cache, "_cacache"));
  for (const [to, { spec, path, mode }] of Object.entries(files)) {
    // npm documents that its cache belongs to cacache, but not its keys. If they change, `npm pack` only takes longer.
    const tarball = tarballs.get(spec) ?? (await packed(folder, spec, cache));
    await unpack(tarball, `package/${path}`, join(folder, to), mode);
  }
}

/** Packs a package of npm's cache again, and returns the tarball. */
async function packed(
  folder: string,
  spec: string,
  cache: string,
): Promise<string> {
  const args = ["pack", spec, "--json", "--prefer-offline", "--cache", cache];
  const { exitCode, stdout, stderr } = await runProgram(
    { cwd: folder, env: certificates },
    "npm",
    ...args,
  );
  if (exitCode !== 0) throw new Error(stderr);
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Returns the tarballs of a cache of npm, by their specs. Its index has an entry for each, with the tarball's checksum. */
async function tarballsIn(cache: string): Promise<Map<string, string>> {
  const index = join(cache, "index-v5");
  const tarballs = new Map<string, string>();
  for (const entry of await readdir(index, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const text = await readFile(join(entry.parentPath, entry.name), "utf8");
    const [, spec, base64] =
      /"key":"pacote:tarball:([^"]+)","integrity":"sha512-([^"]+)"/.exec(
        text,
      ) ?? [];
    if (spec === undefined || base64 === undefined) continue;
    const hash = Buffer.from(base64, "base64").toString("hex");
    const [, a = "", b = "", rest = ""] = /^(..)(..)(.*)$/.exec(hash) ?? [];
    tarballs.set(spec, join(cache, "content-v2/sha512", a, b, rest));
  }
  return tarballs;
}

/** The size of a header in a tar archive. The content after it is padded to a multiple of this size. */
const BLOCK = 512;
/** Node's default is 16 kB, so each file would have thousands of chunks. */
const CHUNK = 2 ** 20;

/** Unpacks one file of an archive, and reads no further. */
async function unpack(
  tarball: string,
  path: string,
  to: string,
  mode = 0o644,
): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await using file = await open(to, "w", mode);
  const unzipped = createReadStream(tarball, { highWaterMark: CHUNK }).pipe(
    createGunzip({ chunkSize: CHUNK }),
  );
  /** The bytes before the next header, and how many of them belong to the file. */
  let before = 0;
  let wanted = 0;
  let isFound = false;
  let bytes = Buffer.alloc(0);
  for await (const chunk of unzipped) {
    bytes = Buffer.concat([bytes, chunk as Buffer]);
    while (before > 0 || bytes.length >= BLOCK) {
      if (before > 0) {
        const content = bytes.subarray(0, Math.min(before, bytes.length));
        const own = content.subarray(0, Math.min(wanted, content.length));
        if (own.length > 0) await file.writeFile(own);
        wanted -= own.length;
        before -= content.length;
        bytes = bytes.subarray(content.length);
        if (before > 0) break;
      }
      if (isFound) return;
      if (bytes.length < BLOCK) break;
      const name = bytes.toString("utf8", 0, 100).replace(/\0.*$/s, "");
      const size = Number.parseInt(bytes.toString("latin1", 124, 136), 8);
      isFound = name === path;
      wanted = isFound ? size : 0;
      before = Math.ceil(size / BLOCK) * BLOCK;
      bytes = bytes.subarray(BLOCK);
    }
  }
  throw new Error(`${tarball} has no ${path}`);
}
