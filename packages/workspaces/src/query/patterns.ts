import picomatch from "picomatch";
import type { Workspace } from "../graph.js";

/** The kinds of patterns in the filter language. */
export type PatternKind = "name" | "glob" | "folder" | "folder-glob";

/** A parsed pattern, with its kind and a function that matches packages. */
export interface Pattern {
  readonly kind: PatternKind;
  readonly matches: (workspace: Workspace) => boolean;
}

/**
 * Parses a pattern: a name (`@acme/ui`), a glob over names (`@acme/*`), a folder (`./packages/ui`) or a glob over
 * folders (`./packages/**`). Folders are from the project's root.
 */
export function readPattern(text: string): Pattern {
  const isGlob = /[*?[{]/.test(text);
  if (text === "." || text.startsWith("./")) {
    const folder = text.replace(/^\.(\/+|$)/, "").replace(/\/+$/, "") || ".";
    const matches = isGlob ? globMatcher(folder) : undefined;
    return {
      kind: isGlob ? "folder-glob" : "folder",
      // Only the glob `**` matches the empty path of the root's folder.
      matches: ({ dir }) =>
        dir === folder ||
        (matches !== undefined &&
          (dir === "." ? folder === "**" : matches(dir))),
    };
  }
  if (!isGlob) return { kind: "name", matches: ({ name }) => name === text };
  const matchesName = nameMatcher(text);
  return { kind: "glob", matches: ({ name }) => matchesName(name) };
}

/**
 * Returns a function that matches names with a glob (or a name). `*` matches within one part of a name. A glob without
 * `/` is also matched with the part after the scope, so `*-ui` matches `@acme/web-ui` and `*` matches everything.
 */
export function nameMatcher(glob: string): (name: string) => boolean {
  const matches = globMatcher(glob);
  return glob.includes("/")
    ? (name) => name === glob || matches(name)
    : (name) =>
        name === glob ||
        matches(name) ||
        matches(name.slice(name.lastIndexOf("/") + 1));
}

/** Returns a function that returns those of the names that match one of its globs. @see {@link nameMatcher} */
export function namesThat(
  names: readonly string[],
): (globs: readonly string[]) => readonly string[] {
  return (globs) => {
    const matchers = globs.map(nameMatcher);
    return names.filter((name) => matchers.some((matches) => matches(name)));
  };
}

function globMatcher(glob: string): (text: string) => boolean {
  // Parentheses are common in folder names (`apps/(shop)`), but would be part of a regular expression.
  return picomatch(glob.replace(/(?<!\\)[()|]/g, "\\$&"), {
    dot: true,
    nonegate: true,
    noextglob: true,
  });
}
