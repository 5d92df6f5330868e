import { BARE_NAME } from "../javascript/settings/bare-names.js";
import type { Collector } from "../positions.js";
import { addCode } from "../commands/shell-words.js";

/** Ruby: a path from the file itself, so that the first step up leads to its folder. */
const FROM_FILE =
  /\bexpand_path\(?\s*["']\.\.\/(\.\.\/[\w./@-]+)["']\s*,\s*__FILE__/g;
/** A module of glslify, with or without a dot at its beginning. */
const GLSLIFY = /^[ \t]*#pragma\s+glslify:.*?\brequire\(\s*([@\w][\w./@-]*)/gm;
/** The packages of ReScript's settings. */
const RESCRIPT = /"(?:bs-)?(?:dev-)?dependencies"\s*:\s*\[([^\]]*)\]/g;
const QUOTED = new RegExp(`(?<=")${BARE_NAME}(?=")`, "g");

/** Reporters of Mocha in one string, for a reporter that runs several. */
const REPORTERS = /"reporterEnabled"\s*:\s*"([^"\n]*)"/g;
const NAMES = /@?[A-Za-z][\w./-]*/g;

/** Longer texts are data. */
const LONGEST = 200_000;
/** Modules of Ruby, Lua and EJS, which a string names; of Pug, Rust and TeX, which a word names. None has an ending. */
const MODULE =
  /\b(?:require_relative|require|include)\b\s*\(?\s*["'](\w[\w./-]*)["']|^[ \t]*(?:extends|include|(?:pub )?mod)[ \t]+([\w./-]+);?[ \t]*$|\\(?:input|include)\{([\w./-]+)\}/gm;
/** Modules of Python: of the file's package, of its folder, or of the project. */
const PYTHON =
  /^[ \t]*(?:from[ \t]+\.?([\w.]+)[ \t]+import[ \t]+\(?([\w, \t]+)|import[ \t]+([\w.]+)[ \t]*\r?$)/gm;

/** Notes modules of other languages beside the file, which are named without an ending. */
function addModulesBeside(text: string, found: Collector): void {
  for (const { 1: string, 2: word, 3: part, index } of text.matchAll(MODULE)) {
    const name = string ?? word ?? part ?? "";
    const path = name.includes("/") ? name : name.replaceAll(".", "/");
    found.add(`./${path}`, "near-guess", index);
  }
  for (const match of text.matchAll(PYTHON)) {
    const [, from, names = "", whole = ""] = match;
    const path = (from ?? whole).replaceAll(".", "/");
    const paths = [path, ...(names.match(/\w+/g) ?? []).map(below(path))];
    for (const each of path === "" ? [] : paths) {
      found.add(`./${each}`, "near-guess", match.index);
      if (each.includes("/")) found.add(each, "root-guess", match.index);
    }
  }
}

function below(folder: string): (name: string) => string {
  return (name) => `${folder}/${name}`;
}

/** Notes what programs and settings of other languages load in their own ways. */
export function addLoaded(text: string, found: Collector): void {
  // Gradle and CocoaPods ask Node for the place of a package.
  if (text.includes("require.resolve")) addCode(text, "name-string", 0, found);
  if (text.includes("__FILE__"))
    found.addMatches(text, FROM_FILE, "path-string");
  if (
    text.length < LONGEST &&
    !/^\s*[{[]/.test(text) &&
    /require|include|import|extends|mod|\\input/.test(text)
  )
    addModulesBeside(text, found);
  if (text.includes("glslify")) found.addMatches(text, GLSLIFY, "name-string");
  if (text.includes("reporterEnabled"))
    addListed(text, REPORTERS, NAMES, found);
  if (text.includes('dependencies"')) addListed(text, RESCRIPT, QUOTED, found);
}

/**
 * Notes the names in the lists of a field.
 * @param field the field up to the character that ends its list; the list is the first group
 */
export function addListed(
  text: string,
  field: RegExp,
  name: RegExp,
  found: Collector,
): void {
  for (const { 0: whole, 1: list = "", index } of text.matchAll(field))
    found.addMatches(list, name, "name-string", index + whole.indexOf(list));
}
