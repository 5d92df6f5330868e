import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { digest, FORMAT } from "@skein/fingerprint";
import type { TreeFingerprint } from "@skein/fingerprint";
import { readKept, writeKept } from "@skein/git";
import { filesOfIgnored } from "./ignored-files.js";

/** One package of a tree, with the part of its fingerprint that the tree decides. */
export interface TreeUnit {
  readonly name: string;
  readonly dir: string;
  /** Whether its package.json has the script. */
  readonly hasScript: boolean;
  /** Undefined where something that it hangs on is unknown. */
  readonly fingerprint: TreeFingerprint | undefined;
}

/** What the working tree holds beside git's tree. */
export interface Beside {
  /** Files that git ignores and that count, each with its state. */
  readonly ignored: readonly (readonly [path: string, state: string])[];
  /** What `listIgnored` found. */
  readonly listed: readonly string[];
  /** What `chooseIgnored` chose of it. */
  readonly chosen: readonly string[];
  /** The files that it stands for, each with its state. */
  readonly named: readonly (readonly [path: string, state: string])[];
  /** `.env*` files that git knows. */
  readonly known: readonly string[];
  /** When each package's folder got or lost an entry (`ctime`, in milliseconds); null where it may since. */
  readonly folders: readonly (number | null)[];
  /** Symbolic links that git knows, and where each one leads; "" for nowhere. */
  readonly links: readonly (readonly [path: string, target: string])[];
}

/** The fingerprints of one tree for one script. */
export interface KeptFingerprints {
  readonly units: readonly TreeUnit[];
  readonly warnings: readonly string[];
  readonly beside: Beside;
}

/** Raise it when the layout of the kept file changes, or when the same tree comes to other facts. */
const LAYOUT = 4;

/** Everything that they were made of, in words. */
export type KeptKey = readonly string[];

interface Written extends Omit<KeptFingerprints, "units"> {
  /** Field by field: words that packages share stand there once. */
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

/** Which tree is kept: the last one of each kind. */
export type KeptKind = "commit" | "clean" | "changed";

/** Returns the file in which fingerprints of a script are kept. */
export function keptFile(
  cacheDir: string,
  script: string,
  kind: KeptKind,
): string {
  const word = digest([script, kind]).slice(0, 16);
  return join(cacheDir, `fingerprints-${word}.json`);
}

/** Reads what was kept under the same key; undefined where nothing was, or something beside the tree differs. */
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

/** Keeps fingerprints for the next run. */
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
  // The arguments above were evaluated in this order: the words are known when they are written.
  writeKept(file, Buffer.from(`${keyText(key)}\n${JSON.stringify(written)}`));
}

function keyText(key: KeptKey): string {
  return digest([`fingerprints ${LAYOUT} ${FORMAT}`, ...key]);
}

/** Returns where a link leads; "" for nowhere. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return "";
  }
}

/** Returns the paths of files beside a package.json whose name begins with `.env`. @param dirs from the root */
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

/** Returns when a folder got or lost an entry; undefined where there is none. Nobody can set this time. */
export function changeTime(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ctimeMs;
}

/**
 * Returns the times to keep for folders that were listed.
 * @param now milliseconds since 1970, before they were listed: a folder that changed just then may change again within the
 *   same tick of the file system's clock
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

/** Milliseconds; FAT counts in two seconds, and clocks of network drives differ by little. */
const LONGEST_TICK = 5_000;

/** @returns whether a file lies in a package's folder that did not change */
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
 * Tells whether what lies beside the tree is as it was.
 * @param stateOf reads the state of a file
 * @param listed what `listIgnored` finds now
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
