import { posix } from "node:path";
import { wildAt } from "./wild.js";

/** The last parts of a pattern that are choices or texts can have this many endings in total. */
const MOST_ENDS = 12;
/** A pattern with more combinations of choices counts up to its first choice. */
const MOST_ALTERNATIVES = 16;

/**
 * Returns the endings of the paths that a pattern matches: each path has one of them. The last parts of the pattern can be
 * choices: `*.stories.@(js|mdx)`, `*.{ts,tsx}`, `*.[jt]s?(x)`.
 * @returns an empty ending if there may be others
 */
export function endsOfPattern(pattern: string): readonly string[] {
  const plain = /[^*?{}()[\]!|+,]*$/.exec(pattern)?.[0] ?? "";
  // `**/src` matches the folder, and with it everything in it.
  if (ENDING.test(plain)) return [plain];
  let ends = [""];
  for (const part of lastParts(pattern)) {
    const choices = choicesOf(part);
    ends = ends.flatMap((end) => choices.map((choice) => end + choice));
    if (ends.length > MOST_ENDS) return [""];
  }
  return ends.every((end) => ENDING.test(end)) ? ends : [""];
}

const ENDING = /\.\w+$/;
/** A text, or a choice between texts or characters. */
const PART = /[@?]\([\w.|-]+\)|\{[\w.,-]*,[\w.,-]*\}|\[\w+\]|[\w./-]+/g;

/** Returns the parts at the end of a pattern, without a gap between them. */
function lastParts(pattern: string): readonly string[] {
  const last: string[] = [];
  let end = pattern.length;
  for (const { 0: part, index } of [...pattern.matchAll(PART)].toReversed()) {
    if (index + part.length !== end) break;
    last.unshift(part);
    end = index;
  }
  return last;
}

/** Returns the texts that one part of a pattern matches. */
function choicesOf(part: string): readonly string[] {
  switch (part.charAt(0)) {
    case "@":
      return part.slice(2, -1).split("|");
    case "(":
      return part.slice(1, -1).split("|");
    case "?":
      return ["", ...part.slice(2, -1).split("|")];
    case "{":
      return part.slice(1, -1).split(",");
    case "[":
      return part.slice(1, -1).split("");
    default:
      return [part];
  }
}

/** A part of what a pattern matches: everything with this beginning and with one of these endings. */
export interface Matched {
  readonly beginning: string;
  readonly ends: readonly string[];
}

/** A choice between known names: `@(a|b)`, `(a|b)`, `{a,b}`. A name before `!(a|b)`, `+(a|b)` or `*(a|b)` isn't known. */
const CHOICE =
  /^(?:@?\([\w.@/-]+(?:\|[\w.@/-]+)*\)|\{[\w.@/-]*(?:,[\w.@/-]*)+\})/;

/** Returns what a pattern matches, once for each of the known names in it: `../@(a|b)/*.js` begins with `../a/` or `../b/`. */
export function matchedBy(pattern: string): readonly Matched[] {
  return alternativesOf(pattern).map((each) => {
    const wild = wildAt(each);
    // A script may be made from a source of another ending.
    const [ending = ""] = wild < 0 ? (ENDING.exec(each) ?? []) : [];
    return wild < 0
      ? {
          beginning: each.slice(0, each.length - ending.length),
          ends: [ending],
        }
      : {
          beginning: each.slice(0, wild),
          ends: endsOfPattern(each.slice(wild)),
        };
  });
}

/** Returns a pattern once for each of the known names before the first part that isn't known. */
function alternativesOf(pattern: string): readonly string[] {
  const at = wildAt(pattern);
  const [choice = ""] = at < 0 ? [] : (CHOICE.exec(pattern.slice(at)) ?? []);
  if (choice === "") return [pattern];
  const rest = alternativesOf(pattern.slice(at + choice.length));
  const all = choicesOf(choice).flatMap((each) =>
    rest.map((end) => pattern.slice(0, at) + each + end),
  );
  return all.length > MOST_ALTERNATIVES ? [pattern] : all;
}

/**
 * Returns what patterns match in a folder.
 * @param patterns the words of each; undefined for one that isn't known
 * @returns undefined if it may be anything
 */
export function matchedIn(
  folder: string,
  patterns: readonly (string | undefined)[],
): readonly Matched[] | undefined {
  const found: Matched[] = [];
  for (const pattern of patterns) {
    if (pattern === undefined || !/^[^\\\s/][^\\\s]*$/.test(pattern))
      return undefined;
    // It only excludes files.
    if (/^!(?!\()/.test(pattern)) continue;
    for (const { beginning, ends } of matchedBy(pattern)) {
      const path = posix.join(folder, beginning);
      const isWhole = /^(?:\.\.(?:\/|$)|\/)/.test(path);
      const below = path === "./" ? path : `./${path}`;
      found.push({ beginning: isWhole ? path : below, ends });
    }
  }
  return found.length > 0 ? found : undefined;
}
