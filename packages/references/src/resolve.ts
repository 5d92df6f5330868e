import { posix } from "node:path";
import {
  beginningAndSuffix,
  type Reference,
  type ReferenceKind,
} from "./reference.js";

/** What a reference means, before anybody looks whether it is there: a deleted or renamed target is still hit. */
export type Target =
  | {
      readonly kind: "package";
      readonly name: string;
      readonly subpath: string;
    }
  | {
      readonly kind: "path";
      /** A key as `keysOf` makes them: from the project's root, without a JavaScript ending; empty for the root. */
      readonly key: string;
    }
  /** An alias of a tsconfig: it is the target of nothing, it changes what others mean. */
  | { readonly kind: "alias" }
  /** A script's name, where it is given or called: it means nothing by itself. */
  | { readonly kind: "script-name" | "script-call" | "script-text" }
  /** An environment variable: nothing in the project. */
  | { readonly kind: "variable" };

const SCRIPT_ENDING = /\.[cm]?[jt]sx?$/;
/** React Native's, Expo's and bundlers' variants of one module, and TypeScript's declarations. */
const VARIANT =
  /\.(d|ios|android|native|web|windows|macos|client|server|browser|node)$/;

/** Kinds that always mean a path, with or without a dot before it. */
export const PATH_KINDS: ReadonlySet<ReferenceKind> = new Set<ReferenceKind>([
  "url",
  "path-string",
  "glob",
  "selection",
  "near-guess",
  "own-guess",
  "symlink",
  "tsconfig-reference",
  "tsconfig-include",
]);

/**
 * What a reference means, from its file's path and its words alone.
 * @param file path of the file that holds it, from the project's root
 * @returns undefined for a builtin, a URL, an absolute path, and a folder that holds the project
 */
export function resolveReference(
  file: string,
  reference: Reference,
): Target | undefined {
  if (reference.kind === "tsconfig-paths") return { kind: "alias" };
  if (
    reference.kind === "script-name" ||
    reference.kind === "script-call" ||
    reference.kind === "script-text" ||
    reference.kind === "variable"
  )
    return { kind: reference.kind };
  if (reference.kind === "root-path" || reference.kind === "root-guess") {
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

/** Loader syntax (`raw-loader!./x`) and bundlers' suffixes (`./x.svg?url`) are no part of the name. */
export function plainSpecifier(specifier: string): string {
  const [beginning] = beginningAndSuffix(specifier);
  const words = beginning.slice(beginning.lastIndexOf("!") + 1);
  const suffix = words.indexOf("?");
  return suffix < 0 ? words : words.slice(0, suffix);
}

/**
 * Joins a folder and a relative path.
 * @param partial the path is only a beginning: its last, unfinished part is left out
 * @returns undefined for a folder that holds the project; `../x` is beside it
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
  // What lies beside the project, in the same repository, can be used too; not all that is there at once.
  if (/^\.\.(\/\.\.)*$/.test(joined)) return undefined;
  return joined === "." ? "" : joined;
}

/** The unfinished part that `pathFrom` leaves out; empty where a pattern's signs (`+(a|b)`) stand in it. */
export function unfinishedPart(specifier: string): string {
  const name = specifier.slice(specifier.lastIndexOf("/") + 1);
  return /^\.\.?$|[()|!]/.test(name) ? "" : name;
}

/** Most relative paths: dots at the beginning only. */
const PLAIN_PATH = /^(?:\.\/|(?:\.\.\/)+)(?:[\w@-][\w.@-]*\/)*[\w@-][\w.@-]*$/;

/** The same for such a path, an order of magnitude quicker. @returns undefined where it climbs out of the project */
function plainPathFrom(dir: string, specifier: string): string | undefined {
  let above = dir;
  let at = 0;
  while (specifier.startsWith("../", at)) {
    if (above === "") return undefined;
    above = dirOf(above);
    at += 3;
  }
  return below(above, specifier.slice(at === 0 ? 2 : at));
}

/** Splits `@scope/name/sub/path`. @returns undefined for what cannot be a package: a builtin, a URL, an absolute path */
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

/** `@scope/name` or `name`, whatever follows. */
export function packageNameOf(specifier: string): string {
  return /^(?:@[^/]*\/)?[^/]*/.exec(specifier)?.[0] ?? specifier;
}

/** The key a reference to this path has: `./a.js` may mean `a.ts`, so a script's ending says nothing. */
export function keyOf(path: string): string {
  return path.replace(SCRIPT_ENDING, "");
}

/**
 * Every key by which a reference may mean this file: its path, its path without an ending, its folder when it is an
 * index file or a manifest.
 */
export function keysOf(path: string): readonly string[] {
  const keys = new Set([path, keyOf(path)]);
  const dir = dirOf(path);
  const base = path.slice(dir === "" ? 0 : dir.length + 1);
  const bare = base.replace(/(?!^)\.[^.]*$/, "");
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

/** The folder of a path; empty for the project's root. */
export function dirOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}

/** Whether a path is a folder or lies below it; the root's folder is empty. */
export function isWithin(path: string, folder: string): boolean {
  return folder === "" || path === folder || path.startsWith(`${folder}/`);
}

/** A name in a folder, where the root's folder is empty. */
export function below(dir: string, name: string): string {
  return dir === "" ? name : name === "" ? dir : `${dir}/${name}`;
}

/** The folders above a path, nearest first, the root (empty) last; the path itself is not one of them. */
export function foldersAbove(path: string): readonly string[] {
  const folders: string[] = [];
  for (let dir = path; dir !== "";) folders.push((dir = dirOf(dir)));
  return folders;
}
