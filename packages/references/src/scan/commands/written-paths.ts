import { blank } from "../wild.js";

/** Options with which programs get a place for their results. */
const OUTPUT =
  /(?<=\s--(?:out|out-?(?:dir|file|put)|output-?(?:dir|directory|file|folder|path)|dist-?dir|reports?-?dir)(?:\s+|=)["']?)[^\s"'`;&|()<>]+/gi;
const HAS_OUTPUT = /--(?:out|dist|report)/i;
/** Programs that only make or remove files. */
const MAKES =
  /\b(?:rm|rimraf|mkdir|mkdirp|touch|make-dir|premove|del-cli)(?=\s)/g;
/** The beginning of a command, up to its program. */
const BEGINS = /(?:^|[;&|(\n"'])\s*(?:(?:npx|shx|yarn|run|-T)\s+)*$/;
/** More characters of it aren't searched: an expression that looks back as far as it can takes time quadratic in spaces. */
const LONGEST_BEGINNING = 60;
/** A copy up to the next command: its options have no values, and its last word is the target. */
const COPIES =
  /(?<=(?:^|[;&|(\n])[ \t]*(?:(?:(?:npx|yarn)[ \t]+)?shx[ \t]+)?)(?:cp|mv)(?:[ \t]+-[A-Za-su-z]+)*((?:[ \t]+[^\s;&|()<>`-][^\s;&|()<>`]*)+)[ \t]+(?!-)["']?([^\s"';&|()<>`]+)["']?(?=[ \t]*(?:$|[;&|)\n]))/g;
const REST = /[^;&|()\n`]*/y;
const WORD = /[^\s"'`;&|()<>]+/g;
/** Git compares what a command writes with what it has. */
const COMPARES = /\bgit\s+(?:diff|status|ls-files)\b/;

/**
 * Finds the words of a command that are paths to which it writes, or that it removes: `typedoc --out ../docs`, `rm -rf ../b/dist`.
 * It reads none of them.
 * @returns the positions of these words
 */
export function writtenIn(command: string): ReadonlySet<number> {
  const written = new Set<number>();
  if (comparesWithGit(command)) return written;
  if (HAS_OUTPUT.test(command))
    for (const { index } of command.matchAll(OUTPUT)) written.add(index);
  let end = 0;
  for (const { index } of command.matchAll(MAKES)) {
    const start = Math.max(end, index - LONGEST_BEGINNING);
    const before = command.slice(start, index);
    if (index < end || !BEGINS.test(start === 0 ? before : `.${before}`))
      continue;
    REST.lastIndex = index;
    const [made = ""] = REST.exec(command) ?? [];
    end = index + made.length;
    for (const word of made.matchAll(WORD)) written.add(index + word.index);
  }
  if (/\b(?:cp|mv)\s/.test(command))
    for (const { 0: copy, 2: target = "", index } of command.matchAll(COPIES))
      written.add(index + copy.lastIndexOf(target));
  return written;
}

/**
 * Finds the paths to which the commands in a text of JSON write: `"docs": "typedoc --out ../docs"`. No command in the text compares
 * them with what Git has.
 * @returns the positions of the paths; none in a text of another language
 */
export function outputsIn(text: string): ReadonlySet<number> {
  const isJson = /^\s*[{[]/.test(text) && HAS_OUTPUT.test(text);
  if (!isJson || comparesWithGit(text)) return new Set();
  return new Set(Array.from(text.matchAll(OUTPUT), ({ index }) => index));
}

/** Replaces the paths by spaces to which a shell script writes, or that it removes. */
export function withoutWritten(text: string): string {
  let rest = text;
  for (const index of writtenIn(text)) {
    const [path = ""] = /^[^\s"'`;&|()<>]+/.exec(text.slice(index)) ?? [];
    rest = rest.slice(0, index) + blank(path) + rest.slice(index + path.length);
  }
  return rest;
}

function comparesWithGit(text: string): boolean {
  return text.includes("git ") && COMPARES.test(text);
}
