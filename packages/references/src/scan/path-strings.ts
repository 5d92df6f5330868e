import type { BeginningText } from "./javascript/ast.js";
import type { ReferenceKind } from "../reference.js";
import type { Certainty, Collector } from "./positions.js";
import { endsOfPattern, matchedBy } from "./patterns.js";
import { surelyWildAt } from "./wild.js";

/** Documentation that is named without its folder, as in tests that read a README, and in settings of documentation sites. */
const DOCUMENT = /^[\w.-][^:*?"<>|]*\.(md|mdx|markdown|rst|adoc)$/;
/**
 * A path that goes up, in any language; only the program that reads the file knows its purpose. It may begin with folders
 * (`src/../../b`), and may directly follow an option of one letter (`-I../b`), the sign of a file of options (`@../b`), a loader
 * (`raw!../b`), `file://`, or the slash of a bundler (`"/../b"`).
 */
const UPWARD =
  /(?:(?<![\w./\\$}@!-])|(?<=(?<![\w./@-])@)|(?<=\w!)|(?<=\bfile:\/\/)|(?<=["']\/)|(?<=\\[nrt])|(?<=\$\{\w{1,99}:?[-=+]))(?:-[A-Za-z]\w*)?((?:\.\/|[\w@][\w.@-]*\/)*\.\.\/[^\s"'`<>()[\]{},;:|&?$#\\]*)/g;
/**
 * The same below a folder that is known at run time, usually the file's own: `"$(dirname "$0")/../x"`,
 * `__DIR__ . "/../x"`.
 */
export const CLIMBING =
  /(?<=(?:\$\w+(?:::\w+|\$)?|[)`}>]["']?|(?:__DIR__|__dir__|\))\s*[.+,]\s*["'])[/\\])\.\.[/\\][^\s"'`<>()[\]},;:|&?$#]*/g;
/**
 * Characters after a path that make it a pattern: `../{a,b}`, `../@(a|b)`. A brace without a comma usually belongs to a
 * variable.
 */
const OPENING = /\{(?=[^{}\s]*,)|(?<=[@+!*])\(/y;
/** A path that goes up from the folder where it begins. */
export const GOES_UP = /^(?:\.\/)?\.\.(?:\/|$)/;
/** A part of a path that is a name. */
const NAMED = /(^|\/)(?!\.\.?(\/|$))[^/]/;

/**
 * A path that goes up from the folder of a package's sources, `~/../b/x.css` in Nuxt's settings, or of the package: a slash
 * alone is that folder to Vite.
 */
const ALIASED = /^(?:~~?|@@?)?\/(\.\.\/.+)$/;

/**
 * Returns the path, relative to the file's folder, of a string that can only be a path: it begins with a dot or with Jest's
 * `<rootDir>` (the settings' folder, unless they set another one), or is the name of a document.
 * @returns undefined for any other string
 */
export function pathIn(text: string): string | undefined {
  if (text.startsWith("<rootDir>")) return text.replace(/^<rootDir>\/?/, "./");
  const [, above] = ALIASED.exec(text) ?? [];
  if (above !== undefined) return above;
  if (DOCUMENT.test(text) && !text.startsWith(".")) return `./${text}`;
  return /^\.\.?[/\\]./.test(text) ? text.replaceAll("\\", "/") : undefined;
}

/** Characters of a path that goes up, and of an option before it. */
const IN_PATH = /[\w./@-]/;

/**
 * Finds the paths that go up in a text of any language, each with the character that makes it a pattern, if there is one.
 * @param form of other paths
 */
export function upwardPathsIn(
  text: string,
  form?: RegExp,
): { readonly path: string; readonly index: number }[] {
  return Array.from(
    form ? text.matchAll(form) : matchesOfUpward(text),
    ({ 0: whole, 1: path = whole, index }) => {
      const end = index + whole.length;
      OPENING.lastIndex = end;
      return {
        path: path + (OPENING.exec(text)?.[0] ?? ""),
        index: end - path.length,
      };
    },
  );
}

/** Yields what `matchAll` returns for `UPWARD`, without a search at each word of a text: every match contains `../`. */
function* matchesOfUpward(text: string): Iterable<RegExpExecArray> {
  for (let end = 0; ;) {
    let start = text.indexOf("../", end);
    if (start < 0) return;
    while (start > end && IN_PATH.test(text[start - 1] ?? "")) start--;
    UPWARD.lastIndex = start;
    const match = UPWARD.exec(text);
    if (!match) return;
    end = UPWARD.lastIndex;
    yield match;
  }
}

/** A name that `util.format` or `replace` puts in: `../%s/x.js`. */
const PLACE = /(?<=\/)%[sdo](?=\/|\.)/g;

/** The text of a path, and whether it certainly begins at the file's folder; and what else is certain of it. */
type PathText = BeginningText & {
  readonly isOwn?: boolean | undefined;
  readonly certain?: Certainty;
};

/**
 * Notes a path from the file's folder, or, with a slash before it, from the project's root; for a pattern, the folder that it
 * searches.
 * @param kind for a path that isn't a pattern
 * @param pattern the kind for a pattern
 */
export function addPath(
  {
    text: whole,
    partial,
    goesOn = false,
    end = "",
    isArgument,
    isOwn,
    certain,
  }: PathText,
  offset: number,
  found: Collector,
  kind: ReferenceKind = "path-string",
  pattern: ReferenceKind = "glob",
): void {
  const text = whole.includes("%") ? whole.replaceAll(PLACE, "*") : whole;
  const wild = surelyWildAt(text);
  const ends = partial
    ? endsOfPattern(end)
    : wild >= 0
      ? endsOfPattern(text.slice(wild))
      : [""];
  const known = { beginning: wild < 0 ? text : text.slice(0, wild), ends };
  for (const each of wild < 0 || partial ? [known] : matchedBy(text)) {
    const { beginning, ends: suffix } = each;
    const isFolder = wild >= 0 || goesOn || (partial && NAMED.test(beginning));
    // Programs print the name of a folder of packages, and run in their package's folder.
    if (text !== whole && GOES_UP.test(beginning))
      found.add(beginning, "cwd-path", offset, true, suffix);
    if (beginning.startsWith("/"))
      found.add(
        beginning.replace(/^\/+/, ""),
        "root-path",
        offset,
        isFolder,
        suffix,
        certain,
      );
    else
      found.add(
        beginning,
        isFolder ? (isArgument ? "argument-path" : pattern) : kind,
        offset,
        isFolder || partial,
        suffix,
        { ...certain, fromFile: isOwn },
      );
  }
}

/**
 * Notes a pattern that only selects files. The program reads those outside the package.
 * @param isCoverage whether the program reads them only to measure coverage
 */
export function addSelectedPath(
  text: string,
  offset: number,
  found: Collector,
  isCoverage = false,
): void {
  if (isCoverage) found.cover(offset);
  if (isCoverage && GOES_UP.test(text))
    addPath({ text, partial: false }, offset, found, "coverage", "coverage");
  else if (GOES_UP.test(text)) addPath({ text, partial: false }, offset, found);
  else
    addPath({ text, partial: false }, offset, found, "selection", "selection");
}
