import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { digest, FORMAT } from "@skein/fingerprint";
import type { TreeFingerprint } from "@skein/fingerprint";
import { readKept, writeKept } from "@skein/git";
import { filesOfIgnored } from "./ignored-files.js";

/** One package of a tree, with the part of its fingerprint that depends only on the tree. */
export interface TreeUnit {
  readonly name: string;
  readonly dir: string;
  /** Whether its package.json has the script. */
  readonly hasScript: boolean;
  /** Undefined if one of its inputs is unknown. */
  readonly fingerprint: TreeFingerprint | undefined;
}

/** The inputs in the working tree that git's tree doesn't contain. */
export interface Beside {
  /** Files that git ignores and that count, each with its state. */
  readonly ignored: readonly (readonly [path: string, state: string])[];
  /** The result of `listIgnored`. */
  readonly listed: readonly string[];
  /** The result of `chooseIgnored` for that list. */
  readonly chosen: readonly string[];
  /** The files that the chosen paths mean, each with its state. */
  readonly named: readonly (readonly [path: string, state: string])[];
  /** Tracked `.env*` files. */
  readonly known: readonly string[];
  /**
   * The time of the last change of each package's folder (`ctime`, in milliseconds); null if the folder changed so recently
   * that it may change again in the same tick.
   */
  readonly folders: readonly (number | null)[];
  /** Tracked symbolic links and their targets; "" for a link without a target. */
  readonly links: readonly (readonly [path: string, target: string])[];
}

/** The fingerprints of one tree for one script. */
export interface KeptFingerprints {
  readonly units: readonly TreeUnit[];
  readonly warnings: readonly string[];
  readonly beside: Beside;
}

/** Raise it if the layout of the cached file changes, or if the same tree results in other facts. */
const LAYOUT = 4;

/** All inputs of the fingerprints, as text. */
export type KeptKey = readonly string[];

interface Written extends Omit<KeptFingerprints, "units"> {
  /** The values of all fields. A value that packages share appears once. */
  readonly words: readonly string[];
  readonly lists: readonly (readonly string[])[];
  readonly units: readonly (readonly [
    name: string,
    dir: string,
    hasScript: 0 | 1,
    ...words: readonly number[],
  ])[];
}

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

/**
 * Reads the cached fingerprints of a key; undefined if the file has another key or doesn't exist. The caller still checks
 * `isSameBeside`.
 */
export function readFingerprints(
  file: string,
  key: KeptKey,
): KeptFingerprints | undefined {
  const bytes = readKept(file);
  const head = `${keyText(key)}\n`;
  if (bytes?.toString("utf8", 0, Buffer.byteLength(head)) !== head)
    return undefined;
  const { words, lists, units, ...rest } = JSON.parse(
    bytes.toString("utf8", Buffer.byteLength(head)),
  ) as Written;
  return {
    ...rest,
    units: units.map(([name, dir, hasScript, ...numbers]) => {
      const [files, externals, root, dependencies, everything] = numbers.map(
        (number) => words[number],
      );
      const variables = lists[numbers[FIELDS.length] ?? -1];
      return {
        ...{ name, dir, hasScript: hasScript === 1 },
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
  { units, ...rest }: KeptFingerprints,
): void {
  const words = new Map<string, number>();
  const lists = new Map<readonly string[], number>();
  const numberOf = <Word>(word: Word, all: Map<Word, number>) => {
    const known = all.get(word) ?? all.size;
    all.set(word, known);
    return known;
  };
  const written: Written = {
    units: units.map(({ name, dir, hasScript, fingerprint }) => [
      name,
      dir,
      hasScript ? 1 : 0,
      ...(fingerprint
        ? [
            ...FIELDS.map((field) => numberOf(fingerprint[field], words)),
            numberOf(fingerprint.variables, lists),
          ]
        : []),
    ]),
    words: [...words.keys()],
    lists: [...lists.keys()],
    ...rest,
  };
  // The members above are evaluated in order, so `words` and `lists` are complete here.
  writeKept(file, Buffer.from(`${keyText(key)}\n${JSON.stringify(written)}`));
}

function keyText(key: KeptKey): string {
  return digest([`fingerprints ${LAYOUT} ${FORMAT}`, ...key]);
}

/** Returns the target of a link; "" if it has none. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file);
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
    for (const name of namesIn(dir === "." ? root : `${root}/${dir}`))
      if (name.startsWith(".env"))
        found.push(dir === "." ? name : `${dir}/${name}`);
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/**
 * Returns when an entry was last added to a folder or removed from it (`ctime`, in milliseconds); undefined if the folder
 * doesn't exist. Programs can't set this time.
 */
export function changeTime(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ctimeMs;
}

/**
 * Returns the times to cache for folders that were listed.
 * @param now the time before they were listed, in milliseconds since 1970. A folder that changed just before may change again
 *   within the same tick of the file system's clock, so its time is null.
 */
export function timesOf(
  root: string,
  dirs: readonly string[],
  now: number,
): readonly (number | null)[] {
  return dirs.map((dir) => {
    const time = changeTime(join(root, dir));
    return time !== undefined && time < now - LONGEST_TICK ? time : null;
  });
}

/** In milliseconds. FAT has ticks of two seconds, and clocks of network drives differ slightly. */
const LONGEST_TICK = 5_000;

/** Returns a predicate whether a file is in a package's folder that didn't change. */
function openFolders(
  units: readonly TreeUnit[],
  changed: readonly string[],
): (path: string) => boolean {
  const folders = new Set(units.map(({ dir }) => dir));
  for (const dir of changed) folders.delete(dir);
  return (path) => {
    const slash = path.lastIndexOf("/");
    return folders.has(slash < 0 ? "." : path.slice(0, slash));
  };
}

/**
 * Returns whether the inputs outside of git's tree are unchanged.
 * @param stateOf reads the current state of a file
 * @param listed the current result of `listIgnored`
 */
export function isSameBeside(
  root: string,
  { units, beside }: KeptFingerprints,
  stateOf: (path: string) => string | undefined,
  listed: readonly string[],
): boolean {
  const named = filesOfIgnored(root, beside.chosen);
  const known = new Set(beside.known);
  const changed = units.flatMap(({ dir }, at) =>
    beside.folders[at] === changeTime(join(root, dir)) ? [] : [dir],
  );
  const isUnchanged = openFolders(units, changed);
  const ignored = [
    ...beside.ignored.flatMap(([path]) => (isUnchanged(path) ? [path] : [])),
    ...dotenvFiles(root, changed).filter((path) => !known.has(path)),
  ];
  return (
    JSON.stringify(listed) === JSON.stringify(beside.listed) &&
    named.length === beside.named.length &&
    named.every(({ path }, at) => path === beside.named[at]?.[0]) &&
    beside.named.every(([path, state]) => stateOf(path) === state) &&
    ignored.length === beside.ignored.length &&
    beside.ignored.every(
      ([path, state]) => ignored.includes(path) && stateOf(path) === state,
    ) &&
    beside.links.every(([path, to]) => targetOf(join(root, path)) === to)
  );
}
