import { fieldsWhere, namesPackages } from "@skein/known-tools";
import type { JsonString } from "../json.js";
import { blank } from "../wild.js";

/** A field that contains names, in YAML or TOML; Browserslist's `extends x`. */
const FIELD = new RegExp(
  String.raw`^([ \t]*(?:-[ \t]+)*)["']?(${fieldsWhere(namesPackages).join("|")})["']?(?:[ \t]*(?::(?=\s)|=)|(?<=extends)[ \t])[ \t]*`,
  "gm",
);
const LINE = /\n([ \t]*)((?:-[ \t]+)*)([^\r\n]*)/y;
const NAME = /[@\w.][\w./:@#=-]*/g;

/** Receives a string in a field that contains names. */
export type SeeName = (field: string, string: JsonString) => void;

/**
 * Finds the names in fields of YAML that contain some, without a parser: one word after the field, words in brackets, or the
 * lines below it, each an item of a list or the key of a plug-in's options.
 */
export function eachYamlName(text: string, see: SeeName): void {
  for (const match of text.matchAll(FIELD)) {
    const [start, indent = "", field = ""] = match;
    const at = match.index + start.length;
    const end = endOfLine(text, at);
    const rest = text.slice(at, end);
    if (rest.startsWith("[")) {
      const close = text.indexOf("]", at);
      addWords(field, at, close < 0 ? end : close);
    } else if (/^(?:#|\s*$)/.test(rest)) addBlock(field, indent.length, end);
    else addWord(field, at, end);
  }

  function addBlock(field: string, above: number, from: number): void {
    const columns = new Set<number>();
    let isNested = true;
    LINE.lastIndex = from;
    for (let line = LINE.exec(text); line; line = LINE.exec(text)) {
      const [whole, indent = "", dashes = "", rest = ""] = line;
      if (/^(?:#|\s*$)/.test(rest) && dashes === "") continue;
      const isItem = indent.length > above || dashes !== "";
      if (indent.length < above || !isItem) return;
      if (isNested) columns.add(indent.length);
      // The lines below `-` alone are one item.
      isNested = rest.trim() === "-";
      const end = LINE.lastIndex;
      // `- name: x` is an object of options, `- x:` has some.
      const isName = dashes === "" || !/^[^\s:]+:[ \t]+[^{\s#]/.test(rest);
      if (columns.has(indent.length) && isName)
        addWord(field, end - whole.length + 1 + indent.length, end);
    }
  }

  function addWord(field: string, from: number, to: number): void {
    const [word] = text.slice(from, to).matchAll(NAME);
    if (word) add(field, word[0], from + word.index);
  }

  function addWords(field: string, from: number, to: number): void {
    const words = text.slice(from, to).replaceAll(/(?<!\S)#.*/g, blank);
    for (const { 0: word, index } of words.matchAll(NAME))
      add(field, word, from + index);
  }

  function add(field: string, word: string, offset: number): void {
    see(field, { text: word.replace(/:$/, ""), offset });
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}
