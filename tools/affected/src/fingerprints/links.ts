import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { digest } from "@skein/fingerprint";

/** The context of a link. */
export interface LinkWorld {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Returns whether git tracks a file, by its path relative to the project's root. */
  readonly isKnown: (path: string) => boolean;
  readonly idOf: (bytes: Buffer) => string;
  /** Names of files and folders that are skipped. Default: none. */
  readonly skips?: ReadonlySet<string>;
}

/** The maximum number of files that are read below one link. A larger folder isn't an input. */
const MOST = 2_000;
/** The maximum size of these files in total, in bytes. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Returns a hash of the content that a symbolic link leads to, if git doesn't track that content: it is outside of the
 * repository, or ignored. Tracked files count by themselves.
 * @param link the link, absolute
 * @returns "" if git tracks the target, or if there is none; undefined if the content is too large to read
 */
export function stateOfLink(
  link: string,
  world: LinkWorld,
): string | undefined {
  let target: string;
  let root: string;
  try {
    target = realpathSync(link);
    root = realpathSync(world.root);
  } catch {
    return ""; // The link has no target.
  }
  const path = relative(root, target).replaceAll(sep, "/");
  const isInside = path !== ".." && !path.startsWith("../") && path !== target;
  if (isInside && (path === "" || world.isKnown(path))) return "";
  const left = { files: MOST, bytes: LARGEST };
  const words = wordsBelow(target, "", left, world);
  if (!words) return undefined;
  // If git tracks files of the folder, these count; the rest is output of builds and installs.
  return isInside && words.some(([name]) => world.isKnown(`${path}/${name}`))
    ? ""
    : digest(words.flat());
}

/** Returns the files below a folder, or the file itself; undefined if there are too many. */
function wordsBelow(
  top: string,
  name: string,
  left: { files: number; bytes: number },
  world: LinkWorld,
): (readonly [name: string, state: string])[] | undefined {
  const file = join(top, name);
  try {
    const stats = lstatSync(file);
    if (stats.isSymbolicLink()) return [[name, readlinkSync(file)]];
    if (stats.isFile()) {
      left.files--;
      left.bytes -= stats.size;
      if (left.files < 0 || left.bytes < 0) return undefined;
      return [[name, world.idOf(readFileSync(file))]];
    }
    if (!stats.isDirectory()) return undefined;
    const found: (readonly [string, string])[] = [];
    for (const inside of readdirSync(file).sort()) {
      if (world.skips?.has(inside)) continue;
      const path = name === "" ? inside : `${name}/${inside}`;
      const below = wordsBelow(top, path, left, world);
      if (!below) return undefined;
      found.push(...below);
    }
    return found;
  } catch {
    return undefined;
  }
}
