import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { YarnProject } from "./yarn-project.js";

/** Programs by name: the script file that Node runs. */
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
  for (const [name, script] of bins)
    wrappers.set(name, wrapper(node.execPath, script));
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

function wrapper(file: string, ...args: string[]): string {
  return `#!/bin/sh\nexec ${[file, ...args].map(quote).join(" ")} "$@"\n`;
}

/** Quotes a word for sh: in single quotes, only the quote itself is special. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
