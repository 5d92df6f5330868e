import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { digest, FORMAT, type TreeFingerprint } from "@skein/fingerprint";
import { readKept, writeKept } from "@skein/git";
import type { EdgeKind } from "@skein/workspaces";
import { entriesOf, type OutsideGit } from "./outside-git.js";
import { areSameFolders, withoutTimes } from "./folder-times.js";
import { filesOfIgnored } from "./ignored-files.js";

/** One package of a tree, with the part of its fingerprint that depends only on the tree. */
export interface TreeUnit {
  readonly name: string;
  readonly dir: string;
  readonly version: string | undefined;
  /** The requested script in its package.json, and those that the pipeline runs before it. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Undefined if something that it depends on is unknown. */
  readonly fingerprint: TreeFingerprint | undefined;
}

/** The inputs in the working tree that git's tree doesn't contain. */
export interface OutsideTree {
  /** Files that git ignores and that count, each with its state. */
  readonly ignored: readonly (readonly [path: string, state: string])[];
  /** The result of `listOutsideGit`. */
  readonly listed: OutsideGit;
  /** `Status.folders` at the time of the listing. */
  readonly as?: string | undefined;
  /** The files that `chooseIgnored` selected from it. */
  readonly chosen: readonly string[];
  /** The files that the chosen paths mean, each with its state. */
  readonly named: readonly (readonly [path: string, state: string])[];
  /** Tracked `.env*` files. */
  readonly known: readonly string[];
  /** The folders with their times (`timesOf`). */
  readonly folders: string;
  /** Tracked symbolic links with their targets; "" for a link without a target. */
  readonly links: readonly (readonly [path: string, target: string])[];
}

/** The fingerprints of one tree for one script. */
export interface KeptFingerprints {
  readonly units: readonly TreeUnit[];
  /** The dependencies between packages, if the pipeline runs other scripts before this one. */
  readonly edges: readonly PackageEdge[];
  readonly warnings: readonly string[];
  readonly outside: OutsideTree;
}

/** The first package depends on the second one; both are names. */
export type PackageEdge = readonly [from: string, to: string, kind: EdgeKind];

/** Increase it when the layout of the stored file changes, or when the same tree has other facts. */
const LAYOUT = 13;

/** All inputs of the fingerprints, as text. */
export type KeptKey = readonly string[];

interface Written extends Omit<KeptFingerprints, "units"> {
  /** All hashes of fields, each once. They have the same length and no separators, so that reading them is fast. */
  readonly words: string;
  readonly lists: readonly (readonly string[])[];
  readonly scripts: readonly TreeUnit["scripts"][];
  readonly units: readonly (readonly [
    name: string,
    dir: string,
    version: string | null,
    scripts: number,
    ...words: readonly number[],
  ])[];
}

/** The length of a SHA-256 in hexadecimal. */
const WORD = 64;

const FIELDS = [
  "files",
  "externals",
  "root",
  "dependencies",
  "everything",
] as const;

/** The kind of a cached tree. The cache contains the last tree of each kind. */
export type KeptKind = "commit" | "clean" | "changed";

/** Returns the path of the file that caches fingerprints of a script. */
export function keptFile(
  cacheDir: string,
  script: string,
  kind: KeptKind,
): string {
  const word = digest([script, kind]).slice(0, 16);
  return join(cacheDir, `fingerprints-${word}.json`);
}

/** Reads the fingerprints that an earlier run cached under the same key; undefined if there are none. */
export function readFingerprints(
  file: string,
  key: KeptKey,
): KeptFingerprints | undefined {
  return decodeFingerprints(readKept(file), key);
}

/** Decodes fingerprints; undefined if they belong to another key. */
export function decodeFingerprints(
  bytes: Buffer | undefined,
  key: KeptKey,
): KeptFingerprints | undefined {
  const head = `${keyText(key)}\n`;
  if (bytes?.toString("utf8", 0, Buffer.byteLength(head)) !== head)
    return undefined;
  const { words, lists, units, scripts, ...rest } = JSON.parse(
    bytes.toString("utf8", Buffer.byteLength(head)),
  ) as Written;
  return {
    ...rest,
    units: units.map(([name, dir, version, script, ...numbers]) => {
      const [files, externals, root, dependencies, everything] = numbers.map(
        (number) => words.slice(number * WORD, (number + 1) * WORD),
      );
      const variables = lists[numbers[FIELDS.length] ?? -1];
      return {
        ...{ name, dir, version: version ?? undefined },
        scripts: scripts[script] ?? {},
        fingerprint:
          files !== undefined &&
          externals !== undefined &&
          root !== undefined &&
          dependencies !== undefined &&
          everything !== undefined &&
          variables !== undefined
            ? { files, externals, root, dependencies, everything, variables }
            : undefined,
      };
    }),
  };
}

/** Caches fingerprints for the next run. */
export function writeFingerprints(
  file: string,
  key: KeptKey,
  kept: KeptFingerprints,
): void {
  writeKept(file, encodeFingerprints(key, kept));
}

/** Encodes fingerprints for other clones, without the times of this clone's folders. */
export function encodeForOthers(key: KeptKey, kept: KeptFingerprints): Buffer {
  const folders = withoutTimes(kept.outside.folders);
  const outside = { ...kept.outside, folders, as: undefined };
  return encodeFingerprints(key, { ...kept, outside });
}

function encodeFingerprints(
  key: KeptKey,
  { units, ...rest }: KeptFingerprints,
): Buffer {
  const words = new Map<string, number>();
  const lists = new Map<readonly string[], number>();
  const scripts = new Map<string, number>();
  const numberOf = <Word>(word: Word, all: Map<Word, number>) => {
    const known = all.get(word) ?? all.size;
    all.set(word, known);
    return known;
  };
  const written: Written = {
    units: units.map(({ name, dir, version, fingerprint, ...unit }) => [
      name,
      dir,
      version ?? null,
      numberOf(JSON.stringify(unit.scripts), scripts),
      ...(fingerprint
        ? [
            ...FIELDS.map((field) => numberOf(fingerprint[field], words)),
            numberOf(fingerprint.variables, lists),
          ]
        : []),
    ]),
    words: [...words.keys()].join(""),
    lists: [...lists.keys()],
    scripts: [...scripts.keys()].map(
      (text) => JSON.parse(text) as TreeUnit["scripts"],
    ),
    ...rest,
  };
  // The arguments above were evaluated in this order: the words are known when they are written.
  return Buffer.from(`${keyText(key)}\n${JSON.stringify(written)}`);
}

/** Returns a hash of all inputs of fingerprints. */
export function keyText(key: KeptKey): string {
  return digest([`fingerprints ${LAYOUT} ${FORMAT}`, ...key]);
}

/**
 * Returns the target of a link: a path from the project's folder, so that it is the same in other clones; "" if there is
 * none.
 */
export function targetOf(root: string, path: string): string {
  try {
    const target = realpathSync(join(root, path));
    return relative(realpathSync(root), target) || ".";
  } catch {
    return "";
  }
}

/**
 * Returns the paths of files beside a package.json whose name begins with `.env`.
 * @param dirs folders relative to the root
 */
export function dotenvFiles(root: string, dirs: Iterable<string>): string[] {
  const found: string[] = [];
  for (const dir of dirs)
    for (const { name } of entriesOf(join(root, dir)))
      if (name.startsWith(".env"))
        found.push(dir === "." ? name : `${dir}/${name}`);
  return found;
}

/**
 * Returns whether no folder gained or lost an entry since the tree was read. Then the list of ignored files is the same,
 * because git's status shows all other files.
 * @param as git's current word for all folders (`Status.folders`)
 */
export function hasSameFolders(
  root: string,
  { outside }: KeptFingerprints,
  as: string | undefined,
): boolean {
  return (
    (as !== undefined && outside.as === as) ||
    areSameFolders(root, outside.folders)
  );
}

/** Returns whether the files beside the tree are unchanged. */
export function isSameOutsideTree(
  root: string,
  { units, outside }: KeptFingerprints,
  stateOf: (path: string) => string | undefined,
  listed: OutsideGit | undefined,
): boolean {
  const named = filesOfIgnored(root, outside.chosen);
  const known = new Set(outside.known);
  const dirs = units.map(({ dir }) => dir);
  const dotenvs = listed
    ? dotenvFiles(root, dirs).filter((path) => !known.has(path))
    : outside.ignored.map(([path]) => path);
  return (
    (!listed || JSON.stringify(listed) === JSON.stringify(outside.listed)) &&
    named.length === outside.named.length &&
    named.every(({ path }, at) => path === outside.named[at]?.[0]) &&
    outside.named.every(([path, state]) => stateOf(path) === state) &&
    dotenvs.length === outside.ignored.length &&
    outside.ignored.every(
      ([path, state]) => dotenvs.includes(path) && stateOf(path) === state,
    ) &&
    outside.links.every(([path, to]) => targetOf(root, path) === to)
  );
}
