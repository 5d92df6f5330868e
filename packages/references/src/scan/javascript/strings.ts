import { COMMAND_LINE, withoutAdvice } from "../commands/commands.js";
import { addCode, addPackages, scanScript } from "../commands/shell-words.js";
import { addPath, GOES_UP, pathIn } from "../path-strings.js";
import { endsOfPattern } from "../patterns.js";
import { addStyleRules } from "../text/style.js";
import { endOf, nodesOf, textOf, type Node } from "./ast.js";
import { aboveIn, addBeside, addBesideText } from "./beside.js";
import { addExporter } from "./settings/exporters.js";
import { addFolders, addInnerPaths, addOpenedFolder } from "./open-ends.js";
import { loadedIfEqual } from "./compared/compared-constants.js";
import { SCOPED_NAME } from "./unparsed/plain-names.js";
import type { Place } from "./values/place.js";
import type { Walk } from "./walk.js";

/**
 * Notes a path that begins at the file's own folder, for any expression.
 * @returns whether the expression is such a path
 */
export function addPlace(expression: Node, walk: Walk): boolean {
  const { found, handled, compared, places, own, isSettings } = walk;
  if (compared.has(expression)) return true;
  const made = places.all(expression);
  if (!made.some(({ words }) => words)) {
    own.addPlace(expression);
    return false;
  }
  const isOpened = walk.opened.has(expression);
  // The paths in the folder are noted where they are made.
  const isFolder =
    walk.folders.has(expression) &&
    made.every(({ words, partial }) => words && partial);
  for (const each of isFolder ? [] : made) {
    if (!each.words) continue;
    const { text, partial, isCwd } = each;
    const offset = each.words.start + 1;
    // The manifest of the package whose script runs the program.
    if (isCwd && !partial && text === "./package.json") continue;
    if (isCwd && partial && GOES_UP.test(text))
      found.add(
        text,
        "cwd-path",
        offset,
        true,
        endsOfPattern(endOf(expression)),
        { opened: isOpened },
      );
    else
      addPath(
        {
          ...each,
          end: endIn(expression, walk, each.last),
          certain: { opened: isOpened },
        },
        offset,
        found,
      );
    if (!isPattern(each.last ?? ""))
      addBeside(each, expression, offset, isSettings, found);
  }
  for (const part of nodesOf(expression)) handled.add(part);
  own.settle(expression);
  if (made.every((place) => isNoted(place, isOpened)))
    walk.noted?.add(expression);
  return true;
}

/** Returns whether a path is noted completely, or with the end of the file that is opened. */
function isNoted(
  { words, partial, last = "" }: Place,
  isOpened: boolean,
): boolean {
  return words !== undefined && (!partial || (isOpened && last !== ""));
}

/** Options with which Node loads modules: `process.env.NODE_OPTIONS = "--require x"`. */
const OPTIONS_OF_NODE =
  /^(?:-r|--require|--import|--loader|--experimental-loader)[ =]/;

/** Adds a string of unknown purpose if it can only be a path, or a package's name. */
export function addString(literal: Node, walk: Walk): void {
  const { found, handled, own, bare } = walk;
  const text = textOf(literal);
  const path = text && (pathIn(text.text) ?? aboveIn(text));
  const isTaken = handled.has(literal) || (!text && addPlace(literal, walk));
  if (walk.opened.has(literal)) addOpenedFolder(literal, found);
  if (!isTaken && text && path === undefined) {
    const name = text.partial ? "" : text.text.replace(BESIDE_NAME, "");
    if (SCOPED.test(name)) found.add(name, "name-string", literal.start + 1);
    // A virtual module of a bundler.
    if (walk.isSettings && LOADS.test(text.text))
      addCode(text.text, "name-string", literal.start + 1, found);
    if (text.partial && text.text.startsWith("@"))
      for (const each of walk.places.texts(literal))
        if (!each.partial && SCOPED.test(each.text))
          found.add(each.text, "name-string", literal.start + 1);
    own.addName(literal, text);
    if (!text.partial) bare.see(literal, text.text);
    addExporter(text.text, literal.start + 1, found);
    // The command may run in the package's folder, as any path in a string may begin there.
    if (OPTIONS_OF_NODE.test(text.text))
      addPackages(text.text, "name-string", literal.start + 1, found);
    const command = withoutAdvice(text.text);
    if (COMMAND_LINE.test(command)) {
      addInnerPaths(text.text, literal.start + 1, found);
      scanScript("", { text: command, offset: literal.start + 1 }, found);
    } else if (literal.type === "Literal") {
      addInnerPaths(text.text, literal.start + 1, found);
      addStyleRules(text.text, literal.start + 1, found);
    }
    return;
  }
  if (!isTaken && !text) addFolders(literal, found, handled);
  const loaded = loadedIfEqual(literal, found.text);
  for (const part of nodesOf(literal)) if (part !== loaded) handled.add(part);
  if (isTaken || !text || path === undefined) return;
  for (const each of walk.places.texts(literal)) {
    // In settings, a template is a pattern or a path that the program opens.
    const goesOn =
      walk.isSettings && each.partial && /^[/\\]./.test(endOf(literal));
    if (!goesOn && addBesideText(each, literal, found)) continue;
    const end = goesOn ? endOf(literal) : endIn(literal, walk);
    const meant = {
      ...each,
      text: pathIn(each.text) ?? path,
      goesOn,
      end,
      certain: { opened: walk.opened.has(literal) },
    };
    addPath(meant, literal.start + 1, found);
  }
}

/**
 * Returns the end of a path that is opened as it is, or of a pattern.
 * @param whole the last part of it, if it isn't a string at this place
 */
function endIn(
  expression: Node,
  { opened }: Walk,
  whole = endOf(expression),
): string {
  // `name/./x.js`, and `name/../x.js`, which is beside the folder of that name.
  const last = whole.replace(/^.*\/(?:\.\.\/|\.(?=\/))/, "");
  // `.github` may be a folder, of which the program only wants to know whether it exists.
  const isMeant = opened.has(expression) || isPattern(last);
  return isMeant && !/\/\.\w+$/.test(last) ? last : "";
}

/** Returns whether the end of a path is that of a pattern, and not of a regular expression. */
function isPattern(end: string): boolean {
  return end.includes("*") && !end.includes("\\");
}

/**
 * Text that may stand before or after such a name in the settings of a bundler: the type of an external module (`commonjs @acme/x`), and a
 * group of an alias (`@acme/x/$1`).
 */
const BESIDE_NAME =
  /^(?:(?:node-)?commonjs(?:2|-\w+)?|module(?:-import)?|import|promise|script|amd(?:-require)?|umd2?|system) (?=@)|\/\$\d.*$/g;
/** Code that loads a module. */
const LOADS = /\b(?:from\s*|(?:require|import)\s*\(\s*)["']/;
/** The name of a package in a scope, or of a file in it, alone in its string. */
const SCOPED = new RegExp(`^${SCOPED_NAME}$`);
