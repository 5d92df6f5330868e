import picomatch from "picomatch";
import type { Workspace } from "../graph.js";

/** What a pattern of the filter language asks for. */
export type PatternKind = "name" | "glob" | "folder" | "folder-glob";

/** A pattern read: what kind it is, and which packages it stands for. */
export interface Pattern {
  readonly kind: PatternKind;
  readonly matches: (workspace: Workspace) => boolean;
}

/**
 * Reads a pattern: a name (`@acme/ui`), a glob over names (`@acme/*`), a folder (`./packages/ui`) or a glob over folders
 * (`./packages/**`), folders from the project's root.
 */
export function readPattern(text: string): Pattern {
  const isGlob = /[*?[{]/.test(text);
  if (text === "." || text.startsWith("./")) {
    const folder = text.replace(/^\.(\/+|$)/, "").replace(/\/+$/, "") || ".";
    const matches = isGlob ? globMatcher(folder) : undefined;
    return {
      kind: isGlob ? "folder-glob" : "folder",
      // No glob but `**` matches the empty path, which is what the root's folder is.
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
 * A function that tells whether a glob (or a name) stands for a name. `*` stays within one part of a name; a glob without
 * `/` is also compared with the part behind the scope, so that `*-ui` finds `@acme/web-ui` and `*` finds everything.
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

function globMatcher(glob: string): (text: string) => boolean {
  // Parentheses are common in folder names (`apps/(shop)`), and would be read as a part of a regular expression.
  return picomatch(glob.replace(/(?<!\\)[()|]/g, "\\$&"), {
    dot: true,
    nonegate: true,
    noextglob: true,
  });
}
