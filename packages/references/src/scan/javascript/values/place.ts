import { posix } from "node:path";
import type { BeginningText, Node } from "../ast.js";

/** A path from the folder of the file that makes it, and the position of its words. */
export interface Place extends BeginningText {
  /** It begins at the current directory, which is the package's folder as a rule. */
  readonly isCwd?: boolean | undefined;
  /** It begins at the file's own folder: `__dirname`, `import.meta.url`. */
  readonly isOwn?: boolean | undefined;
  /** The first string in it, if there is one. */
  readonly words?: Node | undefined;
  /** The last part of a path with an unknown part before it: `/package.json`, or `package.json` if the path goes up before. */
  readonly last?: string | undefined;
}

/** Returns the folder above a path; that of `.` is `..`. */
export function parentOf(path: string): string {
  return /(^|\/)\.{1,2}\/?$/.test(path)
    ? posix.join(path, "..")
    : posix.dirname(path);
}

/**
 * Returns the place that a path makes, from the file's folder or from the root.
 * @returns undefined for a path that begins elsewhere
 */
export function climbing(
  path: string,
  partial: boolean,
  words: Node | undefined,
): Place | undefined {
  const text = path.replaceAll("\\", "/");
  const isFromRoot = text.startsWith("/");
  if (!isFromRoot && !/^\.\.?(\/|$)/.test(text)) return undefined;
  const plain = posix.normalize(text);
  return {
    text: isFromRoot || /^\.\.?(\/|$)/.test(plain) ? plain : `./${plain}`,
    partial,
    words,
  };
}

/**
 * Returns a place with an unknown end after words that go up again: `../data/${name}/../../x.json` may be anywhere in `../`. The
 * unknown part has a name at least.
 * @param after what follows the unknown part
 */
export function lifted(place: Place, after: string): Place {
  const climbs = after.split(/[/\\]/).filter((part) => part === "..").length;
  if (!place.partial || climbs === 0) return place;
  const folder = place.text.slice(0, place.text.lastIndexOf("/") + 1);
  const above = climbing(folder + "../".repeat(climbs - 1), true, place.words);
  return {
    ...place,
    text: above?.text ?? place.text,
    last: place.last?.replace(/^(?:.*\/\.\.)?\//, ""),
  };
}

/** In files without these words, no name is a place, or a part of a path that goes up or of a package's name. */
export const MAKES_PLACES =
  /__dirname|__filename|import\.meta|process\.cwd|PROJECT_CWD|\b(?:join|resolve)\(|["'`}]\/\.\.|`\.\.\/[^`\n]*\$\{|\.\.\/[\w./@-]*["'][ \t]*\+|`@[\w-]+\/\$\{|["']@[\w-]+\/?["']|\b(?:cosmi|lil)config(?:Sync)?\(\w/;
