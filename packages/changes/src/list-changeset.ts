import { isAbsolute, relative, sep } from "node:path";
import { usageFailure } from "@skein/reporting";
import type { Changeset } from "./changeset.js";
import { unquoteGit } from "./unquote-git.js";

export interface ListOptions {
  /** The source of the list, for messages and for the changeset: a file's name, or `standard input`. */
  readonly from: string;
  /** The top of the repository, absolute, if there is one. It allows absolute paths below it. */
  readonly topLevel?: string | undefined;
}

/**
 * Parses a list of changed files: NUL-separated if it contains a NUL (`git diff --name-only -z --no-renames`), else one
 * per line. Names that git has quoted are unquoted.
 *
 * Paths are from the top of the repository, as git prints them, whatever the current folder is. `./`, doubled slashes
 * and inner `..` are resolved. No path has to exist: a deleted file is a change like any other.
 * @returns each path as `modified`, since a list has no kinds of changes
 * @throws {Failure} usage, with the line, for a path outside of the repository or the top itself
 */
export function readListChangeset(
  content: string | Buffer,
  { from, topLevel }: ListOptions,
): Changeset {
  const text = content.toString();
  const names = text.includes("\0") ? text.split("\0") : readLines(text);
  const paths = new Set<string>();
  names.forEach((name, index) => {
    if (name === "") return;
    const path = normalise(name, topLevel);
    if (path === undefined) {
      throw usageFailure(
        `the list of changed files names ${JSON.stringify(name)}, which is not a file of the repository`,
        {
          place: { file: from, line: index + 1 },
          hint: "paths are relative to the top of the repository, as `git diff --name-only` prints them",
        },
      );
    }
    paths.add(path);
  });
  return {
    base: undefined,
    head: undefined,
    source: { kind: "list", from },
    changes: Array.from(paths, (path) => ({
      path,
      kind: "modified" as const,
      origin: "listed" as const,
    })),
    unknown: [],
  };
}

function readLines(text: string): string[] {
  return text.split("\n").map((line) => unquoteGit(line.replace(/\r$/, "")));
}

/** Returns the path from the top, or undefined if it is outside of the repository or is its top. */
function normalise(
  name: string,
  topLevel: string | undefined,
): string | undefined {
  if (isAbsolute(name)) {
    if (topLevel === undefined) return undefined;
    return inside(relative(topLevel, name).split(sep));
  }
  return inside(name.split("/"));
}

function inside(parts: readonly string[]): string | undefined {
  const path: string[] = [];
  for (const part of parts) {
    if (part === "" || part === ".") continue;
    if (part !== "..") path.push(part);
    else if (path.pop() === undefined) return undefined;
  }
  return path.length === 0 ? undefined : path.join("/");
}
