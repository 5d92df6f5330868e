import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { YarnProject } from "./yarn-project.js";

/** Programs by name: the script file Node runs. */
export type Bins = ReadonlyMap<string, string>;

/** Makes folders of wrapper programs. Packages that see the same programs share one folder. */
export interface WrapperFolders {
  /** The folder with these programs besides `node`, `yarn`, `yarnpkg`, `run` and `node-gyp`. */
  folderFor(bins: Bins): Promise<string>;
}

/**
 * Opens a maker of wrapper folders, below a folder that the caller removes after the run.
 * The wrappers are what `makePathWrapper` in @yarnpkg/core writes: a script's `node` and `yarn` are then the ones
 * that run it, and a program runs under Node although it may lie inside an archive.
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
      // A name with a slash would be a path out of the folder; Yarn refuses it as well.
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

/** A word for sh: nothing inside single quotes is special but the quote itself. */
function quote(word: string): string {
  return `'${word.replaceAll("'", `'"'"'`)}'`;
}
