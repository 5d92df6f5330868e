/** Options with which programs get a place for their results. */
const OUTPUT =
  /(?<=\s--(?:out|out-?(?:dir|file|put)|output-?(?:dir|directory|file|folder|path)|dist-?dir|reports?-?dir)(?:\s+|=)["']?)[^\s"'`;&|()<>]+/gi;
/** Commands that only make or remove files, up to the end of the command. */
const MADE =
  /(?<=(?:^|[;&|(\n"'])\s*(?:(?:npx|shx|yarn|run|-T)\s+)*)(?:rm|rimraf|mkdir|mkdirp|touch|make-dir|premove|del-cli)\s[^;&|()\n`]*/g;
/** Most commands do neither, and this search takes less time. */
const MAKES = /\b(?:rm|rimraf|mkdirp?|touch|make-dir|premove|del-cli)\s/;
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
  if (command.includes("git ") && COMPARES.test(command)) return written;
  if (/--(?:out|dist|report)/i.test(command))
    for (const { index } of command.matchAll(OUTPUT)) written.add(index);
  for (const { 0: made, index } of MAKES.test(command)
    ? command.matchAll(MADE)
    : [])
    for (const word of made.matchAll(WORD)) written.add(index + word.index);
  return written;
}
