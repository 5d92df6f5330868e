import { readFileSync } from "node:fs";
import type { ProjectFiles } from "./read-packages.js";

/** Files of a project in memory: text, or a value that is written as JSON. */
export type MemoryFiles = Readonly<Record<string, unknown>>;

/**
 * Returns an object as a project's files.
 * @param name its name in messages
 */
export function memoryFiles(files: MemoryFiles, name = ""): ProjectFiles {
  return {
    name,
    read: (path) =>
      Promise.resolve(
        files[path] === undefined
          ? undefined
          : Buffer.from(textOf(files, path)),
      ),
    list: () => Promise.resolve(Object.keys(files)),
  };
}

/** Returns a file's text. */
export function textOf(files: MemoryFiles, path: string): string {
  const content = files[path];
  return typeof content === "string"
    ? content
    : JSON.stringify(content, null, 2);
}

/** Returns a project of `fixtures/projects` with the yarn.lock that Yarn wrote for it. */
export function fixtureProject(name: string): MemoryFiles {
  const folder = new URL("../fixtures/projects/", import.meta.url);
  const { files } = JSON.parse(
    readFileSync(new URL(`${name}.json`, folder), "utf8"),
  ) as { files: MemoryFiles };
  return {
    ...files,
    "yarn.lock": readFileSync(new URL(`${name}.lock`, folder), "utf8"),
  };
}

/** Returns the error that a function throws. */
export function thrownBy(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
