import type { Collector } from "../positions.js";

/**
 * Parts of a path as separate strings, in any language: `join(x, "..", "b", "y.json")`, `root / "b" / "y.json"`. The part
 * before them may go up, as in Python's pathlib: `.parents[2]`, `.parent.parent`. A key behind a comma is no part.
 */
const LIST =
  /(?:\.parents\[(?<index>\d)\]\s*\/\s*|(?<parents>(?:\.parent)+)\s*\/\s*)?(?<words>(["'])(?:\.\.|[\w@-][\w.@-]*)\4(?:\s*(?:,\s*(?!["'][^"'\n]*["']\s*:)|\/\s*)(["'])(?:\.\.|[\w@-][\w.@-]*)\5)*)/g;
const WORD = /["']([^"']+)["']/g;

/** The same as one call for each part, or after PowerShell's command: `.join("..").join("b")`, `Join-Path $x ".." "b"`. */
const CHAIN =
  /\.(?:join|resolve|child|appendingPathComponent)\((["'])\.\.\1\)(?:\s*\.(?:join|resolve|child|appendingPathComponent)\((["'])[\w@.-]+\2\))+|\bJoin-Path\s[^\n|;]*?(["'])\.\.\3(?:[ \t]+(["'])[\w@.-]+\4)+/g;

/** A path of Python with a variable: `Path(__file__).parent.parent / name / "x.json"`. */
const BELOW =
  /((?:\.parent)+)\s*\/\s*[A-Za-z_]\w*((?:\s*\/\s*["'][\w.@-]+["'])+)/g;

/** Functions of Python, Ruby and Go that list folders. */
const LISTS =
  /\b(?:os\.(?:walk|listdir|scandir|ReadDir)|iterdir|rglob|Dir\.(?:children|each_child|entries)|filepath\.Walk\w*)\(/;

/** Notes the paths whose parts are separate strings. */
export function addWordLists(text: string, found: Collector): void {
  if (text.includes('("..")') || text.includes("Join-Path"))
    for (const { 0: chain, index } of text.matchAll(CHAIN)) {
      const words = [...chain.matchAll(/(["'])([\w@.-]+)\1/g)];
      const at = index + (words[0]?.index ?? 0) + 1;
      const path = words.map(([, , word = ""]) => word).join("/");
      found.add(path, "path-string", at);
    }
  if (text.includes(".parent"))
    for (const { 1: up = "", 2: words = "", index } of text.matchAll(BELOW)) {
      const end = words.split(/[\s"'/]+/).filter((each) => each !== "");
      const folder = "../".repeat(up.split(".parent").length - 2);
      if (folder !== "")
        found.add(folder, "glob", index, true, `/${end.join("/")}`);
    }
  if (!/["']\s*[,/]\s*["']|\.parent/.test(text)) return;
  const lists = LISTS.test(text);
  for (const { 0: whole, index: start, groups = {} } of text.matchAll(LIST)) {
    const { words = "", index, parents } = groups;
    const up =
      index !== undefined
        ? Number(index)
        : parents !== undefined
          ? parents.length / ".parent".length - 1
          : 0;
    const before = text.slice(Math.max(0, start - 20), start);
    // A single word isn't a path, unless it follows a folder.
    const isBelow = parents !== undefined || (lists && /\/\s*$/.test(before));
    if (up === 0 && !isBelow && !/["'].*["'].*["']/s.test(words)) continue;
    const path = [
      ...Array.from({ length: up }, () => ".."),
      ...Array.from(words.matchAll(WORD), ([, word = ""]) => word),
    ].join("/");
    const at = start + whole.length - words.length + 1;
    // `HERE.parent / "b"`, if `HERE` is a folder.
    if (parents !== undefined && !/__file__\)$|\(\)$/.test(before))
      found.add(`../${path}`, "path-string", at);
    if (lists && !path.includes("."))
      found.add(`${path}/`, "root-guess", at, true);
    if (lists && /^\.\.[^.]*$/.test(path))
      found.add(`${path}/`, "glob", at, true);
    if (path.startsWith("..")) found.add(path, "path-string", at);
    else if (!path.includes("..")) found.add(path, "root-guess", at);
  }
}

/** A word that is a file's name, perhaps in a folder beside the text, or that begins with `./`. */
const NEAR =
  /(?<![\w./\\@$}-])(?:\.\/[\w@-][\w.@-]*(?:\/[\w.@-]+)*|[\w@-][\w.@-]*(?:\/[\w.@-]+)*\.[A-Za-z]\w{0,9})(?![\w./@(-])/g;

/** A file in the folder of a script: `"$(dirname "$0")/x.sh"`, `$DIR/x.sh`, `${BASH_SOURCE%/*}/x.sh`, `__DIR__ . "/x.php"`. */
const IN_FOLDER =
  /(?<=(?:\$\w+|\$\{\w+[^{}\s]*\}|\)|__DIR__\s*\.\s*)["']?\/)[\w@-][\w.@-]*(?:\/[\w.@-]+)*\.[A-Za-z]\w{0,9}(?![\w./@(-])/g;

/** Notes the words that may be files beside the text. */
export function addNearGuesses(text: string, found: Collector): void {
  if (/[$]|__DIR__/.test(text))
    for (const { 0: word, index } of text.matchAll(IN_FOLDER))
      found.add(`./${word}`, "near-guess", index);
  for (const { 0: word, index } of text.matchAll(NEAR))
    if (!found.isKnown(index))
      found.add(
        word.startsWith("./") ? word : `./${word}`,
        "near-guess",
        index,
      );
}
