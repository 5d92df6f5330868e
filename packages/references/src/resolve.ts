import { posix } from "node:path";
import {
  beginningAndSuffix,
  type Reference,
  type ReferenceKind,
} from "./reference.js";

/** The target of a reference, before a check whether it exists: references to a deleted or renamed target are still found. */
export type Target =
  | {
      readonly kind: "package";
      readonly name: string;
      readonly subpath: string;
    }
  | {
      readonly kind: "path";
      /** A key in the form of `keysOf`: from the project's root, without a JavaScript ending; empty for the root. */
      readonly key: string;
    }
  | { readonly kind: TargetlessKind };

/** Kinds without a target of their own: aliases change the targets of other references, and scripts call each other. */
export const TARGETLESS = [
  "tsconfig-paths",
  "script-name",
  "script-call",
  "script-text",
  "variable",
  "program",
  "exclusion",
] as const satisfies readonly ReferenceKind[];
export type TargetlessKind = (typeof TARGETLESS)[number];

const SCRIPT_ENDING = /\.[cm]?[jt]sx?$/;
/** The endings of files from which a script may be made. */
const SCRIPT =
  /\.(?:[cm]?[jt]sx?|coffee|litcoffee|ls|civet|gjs|gts|res|re|ml|elm|vue|svelte|marko)$/;
/** Variants of one module for React Native, Expo and bundlers, and TypeScript's declarations. */
const VARIANT =
  /\.(d|ios|android|native|web|windows|macos|client|server|browser|node)$/;

/** Kinds that always mean a path, with or without a dot at the beginning. */
export const PATH_KINDS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "url",
  "path-string",
  "glob",
  "argument-path",
  "selection",
  "coverage",
  "near-guess",
  "own-guess",
  "cwd-path",
  "symlink",
  "tsconfig-reference",
  "tsconfig-include",
]);

/** Kinds of paths that begin at the project's root. */
const FROM_ROOT: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "root-path",
  "root-guess",
  "manifests",
  "manifest-list",
]);

/**
 * Returns the target of a reference, from its file's path and its words only.
 * @param file path of the file that contains it, from the project's root
 * @returns undefined for a builtin, a URL, an absolute path, and a folder that contains the project
 */
export function resolveReference(
  file: string,
  reference: Reference,
): Target | undefined {
  const targetless = TARGETLESS.find((kind) => kind === reference.kind);
  if (targetless) return { kind: targetless };
  if (FROM_ROOT.has(reference.kind)) {
    const [beginning] = beginningAndSuffix(reference.specifier);
    const path = pathFrom("", beginning, reference.partial === true);
    return path === undefined ? undefined : { kind: "path", key: keyOf(path) };
  }
  const specifier = plainSpecifier(reference.specifier);
  if (/^\.{1,2}(\/|$)/.test(specifier) || PATH_KINDS.has(reference.kind)) {
    if (/^[a-z][\w+.-]+:/i.test(specifier) || specifier.startsWith("/"))
      return undefined;
    const joined = pathFrom(dirOf(file), specifier, reference.partial === true);
    if (joined === undefined) return undefined;
    const key =
      reference.kind === "tsconfig-reference" && !joined.endsWith(".json")
        ? `${joined}/tsconfig.json`
        : joined;
    return { kind: "path", key: keyOf(key) };
  }
  return packageTarget(specifier);
}

/** Parcel's schemes, which set the form or the resolution of a file: `bundle-text:./x.css`, `npm:x/y.css`. */
const SCHEME = /^(?:bundle-text|data-url|url|npm):(?=[./@\w])/;

/** Removes loader syntax (`raw-loader!./x`) and bundlers' suffixes (`./x.svg?url`), which aren't part of the name. */
export function plainSpecifier(specifier: string): string {
  const [beginning] = beginningAndSuffix(specifier);
  const words = beginning
    .slice(beginning.lastIndexOf("!") + 1)
    .replace(SCHEME, "");
  const suffix = words.indexOf("?");
  return suffix < 0 ? words : words.slice(0, suffix);
}

/**
 * Joins a folder and a relative path.
 * @param partial the path is only a beginning; its last, incomplete part is ignored
 * @returns undefined for a folder that contains the project; `../x` is beside it
 */
export function pathFrom(
  dir: string,
  specifier: string,
  partial: boolean,
): string | undefined {
  const plain =
    partial || dir.startsWith(".") || !PLAIN_PATH.test(specifier)
      ? undefined
      : plainPathFrom(dir, specifier);
  if (plain !== undefined) return plain;
  const whole =
    partial && !specifier.endsWith("/")
      ? specifier.replace(/(^|\/)(?!\.\.?$)[^/]*$/, "$1")
      : specifier;
  const joined = posix.join(dir, whole || ".").replace(/\/$/, "");
  // A file beside the project, in the same repository, can be used too, but not everything there at once.
  if (/^\.\.(\/\.\.)*$/.test(joined)) return undefined;
  return joined === "." ? "" : joined;
}

/** Returns the incomplete part that `pathFrom` ignores; empty if it contains a pattern's characters (`+(a|b)`). */
export function unfinishedPart(specifier: string): string {
  const name = specifier.slice(specifier.lastIndexOf("/") + 1);
  return /^\.\.?$|[()|!]/.test(name) ? "" : name;
}

/** Most relative paths: dots at the beginning only, or none. */
const PLAIN_PATH = /^(?:\.\/|(?:\.\.\/)+)?(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/;

/**
 * Does the same for such a path, ten times as fast.
 * @returns undefined if it leaves the project
 */
function plainPathFrom(dir: string, specifier: string): string | undefined {
  let above = dir;
  let at = 0;
  while (specifier.startsWith("../", at)) {
    if (above === "") return undefined;
    above = dirOf(above);
    at += 3;
  }
  return below(above, specifier.slice(specifier.startsWith("./") ? 2 : at));
}

/**
 * Splits `@scope/name/sub/path`.
 * @returns undefined for words that can't be a package: a builtin, a URL, an absolute path
 */
function packageTarget(
  specifier: string,
): Extract<Target, { kind: "package" }> | undefined {
  if (specifier === "" || /^(\/|[a-z]{2,}:)/i.test(specifier)) return undefined;
  const name = packageNameOf(specifier);
  return {
    kind: "package",
    name,
    subpath: specifier.slice(name.length + 1).replace(/\/$/, ""),
  };
}

/** Returns `@scope/name` or `name`, without what follows. */
export function packageNameOf(specifier: string): string {
  return /^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0] ?? specifier;
}

/** Returns the key of a reference to this path: `./a.js` may mean `a.ts`, so a script's ending is removed. */
export function keyOf(path: string): string {
  return path.replace(SCRIPT_ENDING, "");
}

/**
 * Returns all keys with which a reference may mean this file: its path, its path without an ending, and its folder if it is
 * an index file or a manifest.
 */
export function keysOf(path: string): readonly string[] {
  const keys = new Set([path, keyOf(path)]);
  const dir = dirOf(path);
  const base = path.slice(dir === "" ? 0 : dir.length + 1);
  const dot = base.lastIndexOf(".");
  const bare = dot > 0 ? base.slice(0, dot) : base;
  for (const stem of [bare, bare.replace(VARIANT, "")]) {
    keys.add(below(dir, stem));
    // Sass finds `_mixins.scss` by `mixins`.
    if (stem.startsWith("_")) {
      keys.add(below(dir, stem.slice(1)));
      keys.add(below(dir, base.slice(1)));
    }
    if (
      /^_?index$/.test(stem) ||
      base === "package.json" ||
      base === "tsconfig.json"
    )
      keys.add(dir);
  }
  return [...keys];
}

/**
 * Returns whether a pattern with this ending may mean a file. If it ends like a script, the file is a script with any of
 * their endings, or the entry of a folder that ends like this.
 * @param keys `keysOf(path)`
 */
export function mayEndWith(
  path: string,
  suffix: string,
  keys = keysOf(path),
): boolean {
  if (suffix === "") return true;
  const bare = keyOf(suffix);
  return (
    ((bare === suffix || SCRIPT.test(path)) &&
      keys.some((key) => key.endsWith(bare))) ||
    keys.some((key) => key === dirOf(path) && key.endsWith(suffix))
  );
}

/** Returns the folder of a path; empty for the project's root. */
export function dirOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** Returns whether a path is a folder or is below it; the root's folder is empty. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** Returns the path of a name in a folder; the root's folder is empty. */
export function below(dir: string, name: string): string {
  return dir === "" ? name : name === "" ? dir : `${dir}/${name}`;
}

/** Returns the folders above a path, nearest first, the root (empty) last; the path itself is not included. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let dir = path; dir !== "";) folders.push((dir = dirOf(dir)));
  return folders;
}
