import { realpath } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { isWithin } from "@skein/workspaces";
import { members } from "@skein/reporting/json";
import { readPlainFile } from "../plain-file.js";
import { configOf, findJudges, loadedBy } from "./jest-words.js";

/** So many settings files of one unit are read: a bound for what a pull request may hold. */
const MOST_FILES = 32;
/** Bytes of a settings file. */
const MOST_BYTES = 1024 * 1024;
const ENDINGS = [".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json"];

/** Where settings files may lie. */
export interface Folders {
  /** The workspace's, absolute. */
  readonly root: string;
  /** Those of its packages by name, from the root. */
  readonly folders: ReadonlyMap<string, string>;
  /** Reads a file by its path from the root, where the workspace does not lie on the disk. */
  readonly read?: (path: string) => Promise<Buffer | undefined>;
}

/**
 * Looks in a script and in its settings files for settings of Jest that judge a whole run. It starts nothing, and reads
 * plain files of the workspace only: settings are programs, and those of a pull request may be anything.
 * @param unit a script that ends with Jest, and its package's folder, from the root
 * @returns the names of the settings; empty where none is found
 */
export async function lookAtJest(
  { root, folders, read }: Folders,
  { dir, command }: { readonly dir: string; readonly command: string },
): Promise<readonly string[]> {
  const within = read === undefined ? await realpath(root) : root;
  const readText = (path: string) =>
    read === undefined
      ? readWithin(within, path)
      : readCommitted(read, relative(within, path));
  const folder = join(within, dir);
  const named = configOf(command);
  const queue =
    named === undefined
      ? [join(folder, "jest.config"), join(folder, "package.json")]
      : [resolve(folder, named)];
  const texts = new Map<string, string>();
  for (const path of queue) {
    const file = await firstFile(readText, path);
    if (!file || texts.has(file.path)) continue;
    texts.set(file.path, file.text);
    if (texts.size === MOST_FILES) break;
    for (const name of loadedBy(file.text)) {
      const rooted = name.replace(/^<rootDir>/, folder);
      const module = folderOf(rooted, folders);
      queue.push(
        module === undefined
          ? resolve(dirname(file.path), rooted)
          : join(within, module),
      );
    }
  }
  return findJudges({ command, files: [...texts.values()] });
}

/** The path from the root to what a module's name stands for, where it is one of a package of the workspace. */
function folderOf(
  name: string,
  folders: ReadonlyMap<string, string>,
): string | undefined {
  const [, module = "", rest = ""] =
    /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  const dir = folders.get(module);
  return dir === undefined ? undefined : join(dir, rest);
}

/** Reads the first file that a path without its ending, or the path of a folder, may stand for. */
async function firstFile(
  readText: (path: string) => Promise<string | undefined>,
  path: string,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const names = [
    ...(extname(path) === "" ? [] : [path]),
    ...ENDINGS.map((ending) => path + ending),
    ...["jest-preset", "index"].flatMap((name) =>
      ENDINGS.map((ending) => join(path, name + ending)),
    ),
  ];
  for (const name of names) {
    const text = await readText(name);
    if (text !== undefined) return { path: name, text: settingsIn(name, text) };
  }
  return undefined;
}

/** Undefined where the file is not there, is no plain file, or lies outside of the workspace. */
async function readWithin(
  root: string,
  path: string,
): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return isWithin(real, root)
      ? await readPlainFile(real, MOST_BYTES)
      : undefined;
  } catch {
    return undefined;
  }
}

/** As `readWithin`, in a commit. */
async function readCommitted(
  read: (path: string) => Promise<Buffer | undefined>,
  path: string,
): Promise<string | undefined> {
  if (path.startsWith("..")) return undefined;
  const bytes = await read(path);
  return bytes && bytes.length <= MOST_BYTES
    ? bytes.toString("utf8")
    : undefined;
}

/** Of a manifest, only its member `jest` is settings. */
function settingsIn(path: string, text: string): string {
  if (!path.endsWith("package.json")) return text;
  try {
    const jest = members(JSON.parse(text), "manifest").unknown("jest");
    return jest === undefined ? "" : JSON.stringify(jest, null, 2);
  } catch {
    return "";
  }
}
