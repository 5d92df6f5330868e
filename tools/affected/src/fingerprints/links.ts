import {
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
} from "node:fs";
import { join, relative, sep } from "node:path";
import { digest } from "@skein/fingerprint";

/** What is known besides of the project that holds a link. */
export interface LinkWorld {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Whether a path from the project's root is a file that git knows. */
  readonly isKnown: (path: string) => boolean;
  readonly idOf: (bytes: Buffer) => string;
}

/** Files below one link that are read; more is no input but a place. */
const MOST = 2_000;
/** Bytes of them. */
const LARGEST = 64 * 1024 * 1024;

/**
 * Returns a word for what a symbolic link leads to, where git doesn't know it: content outside of the repository, or
 * content that git ignores. Files that git knows count by themselves.
 * @returns an empty word where git knows it; undefined where it is too much to read
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
    return ""; // It leads nowhere.
  }
  const path = relative(root, target).replaceAll(sep, "/");
  const isInside = path !== ".." && !path.startsWith("../") && path !== target;
  if (isInside && (path === "" || world.isKnown(path))) return "";
  const left = { files: MOST, bytes: LARGEST };
  const words = wordsBelow(target, "", left, world);
  if (!words) return undefined;
  // A folder of which git knows files counts by them; the rest of it is what builds and installs leave there.
  return isInside && words.some(([name]) => world.isKnown(`${path}/${name}`))
    ? ""
    : digest(words.flat());
}

/** Files below a folder, or the file itself; undefined where there are too many. */
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
