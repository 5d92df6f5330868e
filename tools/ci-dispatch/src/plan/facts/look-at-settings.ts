import { realpath } from "node:fs/promises";
import { dirname, extname, join, relative, resolve } from "node:path";
import { isWithin } from "@skein/workspaces";
import { byName, anything, parse } from "@skein/reporting/json";
import { readPlainFile } from "../../plain-file.js";
import type { TestRunner } from "../../runners/test-runner.js";
import { configOf, loadedBy } from "../../runners/words.js";

/** The maximum number of settings files per unit: a limit for those of pull requests. */
const MOST_FILES = 32;
/** The maximum size of a settings file in bytes. */
const MOST_BYTES = 1024 * 1024;
const ENDINGS = [".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json"];

/** The folders in which settings files may be. */
export interface Folders {
  /** The workspace's folder, absolute. */
  readonly root: string;
  /** The folders of its packages by name, relative to the root. */
  readonly folders: ReadonlyMap<string, string>;
  /** Reads a file by its path from the root, if the workspace isn't on the disk. */
  readonly read?: (path: string) => Promise<Buffer | undefined>;
}

/**
 * Searches a script and its settings files for settings of its program that judge a whole run. It starts no program, and reads
 * only regular files of the workspace, because settings are programs, and those of a pull request are untrusted.
 * @param unit a script that ends with the program, and its package's folder, relative to the root
 * @returns the names of the settings; empty if it finds none
 */
export async function lookAtSettings(
  { root, folders, read }: Folders,
  { settingsFiles, manifestMember, findJudges }: TestRunner,
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
      ? settingsFiles.map((name) => join(folder, name))
      : [resolve(folder, named)];
  const texts = new Map<string, string>();
  for (const path of queue) {
    const file = await firstFile(readText, path, manifestMember);
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

/** Returns the path of a module from the root, if it belongs to a package of the workspace. */
function folderOf(
  name: string,
  folders: ReadonlyMap<string, string>,
): string | undefined {
  const [, module = "", rest = ""] =
    /^((?:@[^/]+\/)?[^/]+)(.*)$/.exec(name) ?? [];
  const dir = folders.get(module);
  return dir === undefined ? undefined : join(dir, rest);
}

/** Reads the first file that a path without its extension, or the path of a folder, may refer to. */
async function firstFile(
  readText: (path: string) => Promise<string | undefined>,
  path: string,
  manifestMember: string | undefined,
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
    if (text !== undefined)
      return { path: name, text: settingsIn(name, text, manifestMember) };
  }
  return undefined;
}

/**
 * Reads a file of the workspace; undefined if it doesn't exist, isn't a regular file, or is outside of the workspace.
 */
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

/** Reads a file like `readWithin`, but from a commit. */
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

/** Returns the settings in a file. In a manifest, only the member of the program is settings. */
function settingsIn(
  path: string,
  text: string,
  manifestMember: string | undefined,
): string {
  if (!path.endsWith("package.json")) return text;
  if (manifestMember === undefined) return "";
  try {
    const own = parse(text, byName(anything), "manifest")[manifestMember];
    return own === undefined ? "" : JSON.stringify(own, null, 2);
  } catch {
    return "";
  }
}
