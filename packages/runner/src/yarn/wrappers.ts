import { createHash } from "node:crypto";
import { mkdir, open, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import type { YarnProject } from "./yarn-project.js";

/** Programs by name: the file of a script that Node runs, or of a native program. */
export type Bins = ReadonlyMap<string, string>;

/** Makes folders of wrapper programs. Packages that can call the same programs share one folder. */
export interface WrapperFolders {
  /** Returns the folder with these programs, and with `node`, `yarn`, `yarnpkg`, `run` and `node-gyp`. */
  folderFor(bins: Bins): Promise<string>;
}

/**
 * Opens a maker of wrapper folders, below a folder that the caller removes after the run. The wrappers are those of
 * `makePathWrapper` in @yarnpkg/core. With them, a script's `node` and `yarn` are the ones that run it, and a program
 * runs in Node even if it is inside an archive.
 */
export function openWrapperFolders(
  parent: string,
  project: Pick<YarnProject, "node" | "yarn">,
): WrapperFolders {
  const made = new Map<string, Promise<string>>();
  return {
    folderFor(bins) {
      const key = createHash("sha256")
        .update(JSON.stringify([...bins]))
        .digest("hex")
        .slice(0, 16);
      let folder = made.get(key);
      if (folder === undefined) {
        folder = write(join(parent, key), project, bins);
        made.set(key, folder);
      }
      return folder;
    },
  };
}

async function write(
  folder: string,
  { node, yarn }: Pick<YarnProject, "node" | "yarn">,
  bins: Bins,
): Promise<string> {
  const wrappers = new Map<string, string>([["node", wrapper(node.execPath)]]);
  if (yarn !== undefined) {
    const { file, args } = yarn;
    wrappers.set("run", wrapper(file, ...args, "run"));
    wrappers.set("yarn", wrapper(file, ...args));
    wrappers.set("yarnpkg", wrapper(file, ...args));
    wrappers.set(
      "node-gyp",
      wrapper(file, ...args, "run", "--top-level", "node-gyp"),
    );
  }
  await Promise.all(
    [...bins].map(async ([name, file]) => {
      const native = await isNative(file);
      wrappers.set(name, native ? wrapper(file) : wrapper(node.execPath, file));
    }),
  );
  await mkdir(folder, { recursive: true });
  await Promise.all(
    [...wrappers]
      // A name with a slash would be a path out of the folder; Yarn rejects it as well.
      .filter(([name]) => !/[/\\]/.test(name))
      .map(([name, text]) =>
        writeFile(join(folder, name), text, { mode: 0o755 }),
      ),
  );
  return folder;
}

/** The first two or four bytes of programs for macOS, Linux and Windows, in hexadecimal. */
const NATIVE = /^(?:cafebabe|cffaedfe|7f454c46|4d5a)/;

/**
 * Returns true if the system runs a program itself, without Node. The rule is that of `isNodeScript` in @yarnpkg/core: a
 * program in another language that isn't native has the ending `.bin` or `.exe`.
 */
async function isNative(file: string): Promise<boolean> {
  if (/^\.[cm]?[jt]sx?$/.test(extname(file))) return false;
  if ([".exe", ".bin"].includes(extname(file))) return true;
  try {
    return NATIVE.test(await firstBytes(file));
  } catch {
    // The file doesn't exist yet, is a folder, or is inside an archive.
    return false;
  }
}

/** Returns the first four bytes of a file, in hexadecimal. */
async function firstBytes(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString("hex");
  } finally {
    await handle.close();
  }
}

function wrapper(file: string, ...args: string[]): string {
  return `#!/bin/sh\nexec ${[file, ...args].map(quote).join(" ")} "$@"\n`;
}

/** Quotes a word for sh: in single quotes, only the quote itself is special. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
