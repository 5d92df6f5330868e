import { readFileSync } from "node:fs";
import type { ProjectFiles } from "./read-project.js";

/** Files of a project kept in memory: text, or a value that is written as JSON. */
export type MemoryFiles = Readonly<Record<string, unknown>>;

/** Makes a project's files of an object. @param name what messages call it */
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

/** A file's text. */
export function textOf(files: MemoryFiles, path: string): string {
  const content = files[path];
  return typeof content === "string"
    ? content
    : JSON.stringify(content, null, 2);
}

/** A project of `fixtures/projects` with the yarn.lock that Yarn wrote for it. */
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

/** What a body throws. */
export function thrownBy(body: () => unknown): unknown {
  try {
    body();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}
