import { packagesOf, TOOLS, type Tool } from "@skein/known-tools";
import { isNode, literalText, listOf, nameOf, type Node } from "../ast.js";
import { SCOPED_NAME } from "../unparsed/plain-names.js";
import type { Collector } from "../../positions.js";

/** The name of a package without a scope, or of a file in it: with a hyphen or a slash, so that it isn't just any word. */
export const BARE_NAME = String.raw`[a-z][a-z\d.]*(?:(?:-[a-z\d.]+)+(?:/[\w.@-]+)*|(?:/[\w.@-]+)+)`;
const BARE = new RegExp(`^${BARE_NAME}$`);
/** A name that is alone in its string and may be a package's, with a scope or without. */
export const PACKAGE = new RegExp(`^(?:${SCOPED_NAME}|${BARE_NAME})$`);
/** Functions that load or find the module that an argument names. Only their names are known. */
const LOADS =
  /^(?:\w*(?:Require|Import)|__non_webpack_require__|(?:resolve|import|require)From|findPackageJSON|jiti|quibble|replaceEsm)$/;
/** The same, but other functions have such a name too, so that only a name with a hyphen or a slash counts. */
const MAY_LOAD = /^(?:_load|register|load(?:Plugin|Preset|Module|Config)\w*)$/;
/** Methods of the same kind, by their object. */
const METHODS = /^(?:jiti|System|resolve|import|importer)$/;

/** The name of a package without a scope, or of a file in it, which may be just any word. */
const WORD = /^[a-z][\w.-]*(?:\/[\w.@-]+)*$/;
/** A string that is only a word. */
const ONE_WORD = /(?<=(["'`]))[a-z][a-z\d]*(?=\1)/g;
/** Words of code that passes options to another Node: they may name the modules that it loads first. */
const PASSES_OPTIONS =
  /\bexecArgv\b|\bexecPath\b|\bNODE_OPTIONS\b|["'`](?:-r|--(?:require|import|loader|experimental-loader))["'`=]/;
/** Such an option with its value. */
const OPTION = new RegExp(
  String.raw`(?<=(?:^|\s)(?:-r\s+|--[\w-]+[=\s]\s*))${BARE_NAME}(?=\s|$)`,
  "g",
);
/** An import of a program that loads the modules in its options: bundlers and compilers. */
const BUILDS = loading(({ purpose }) => purpose === "build");
const BUNDLES = loading(({ bundles }) => bundles !== undefined);

/** Returns a regular expression of an import of a program in the table. */
function loading(isMeant: (tool: Tool) => boolean): RegExp {
  const names = TOOLS.filter(isMeant).flatMap(packagesOf).join("|");
  return new RegExp(
    String.raw`\b(?:from|require\(|import\(?)\s*["'](?:${names})["']`,
  );
}

/** Returns whether a program calls a bundler, so that it contains the bundler's settings. */
export function callsBundler(text: string): boolean {
  return BUNDLES.test(text);
}

/** A file of a package that a bundler's loaders read: `style-loader!x?y=1`. */
const LOADED = /(?<![^!])[a-z][^!?\s]*(?=[!?]|$)/g;
const DECLARED = /\b(?:function|const|let|var)\s+([\w$]+)/g;

/** The strings of one file that may be names of packages without a scope. */
export interface BareNames {
  /** Remembers a string. */
  see(literal: Node, text: string): void;
  /** Notes the names in the arguments of a call that loads modules. */
  addCall(call: Node): void;
  /** Notes that the file loads a module whose name is known only at run time: it may be any of the strings. */
  loadsAny(): void;
  /** Notes that the file runs a script of such a package. Its name may also be a single word. */
  selectsAny(): void;
  /** Adds what was noted. */
  finish(): void;
}

/** Returns whether an argument may be the name of a module, or a list of names. */
function mayName(argument: Node): boolean {
  return (
    argument.type === "ArrayExpression" || literalText(argument) !== undefined
  );
}

/** Returns the names that a string contains, and where. */
function namesIn(
  text: string,
  isSettings: boolean,
): readonly (readonly [name: string, index: number])[] {
  if (BARE.test(text)) return [[text, 0]];
  const matches = (form: RegExp) =>
    Array.from(
      text.matchAll(form),
      ({ 0: name, index }) => [name, index] as const,
    );
  if (/^-|\s-/.test(text)) return matches(OPTION);
  return isSettings && /[!?]/.test(text)
    ? matches(LOADED).filter(([name]) => BARE.test(name))
    : [];
}

/** Adds the names in the arguments of a call if its function loads or finds modules. */
function addLoaded(call: Node, args: readonly Node[], found: Collector): void {
  const { callee } = call;
  const name = nameOf(callee);
  const object = isNode(callee) ? nameOf(callee["object"]) : "";
  const isMethod =
    METHODS.test(object) && /^(?:import|sync|resolve)$/.test(name);
  const add = (nodes: readonly Node[], form: RegExp) => {
    for (const each of nodes) {
      const text = literalText(each);
      if (text !== undefined && form.test(text))
        found.add(text, "name-string", each.start + 1);
    }
  };
  if (MAY_LOAD.test(name)) add(args, BARE);
  if (LOADS.test(name) || isMethod) add(args, WORD);
  // AMD: `define(["x"], …)`, `require(["x"], …)`.
  if (args[0] && (name === "require" || name === "define"))
    add(listOf(args[0], "elements"), WORD);
}

/** @param isSettings whether the file contains a tool's settings, in which any string may be a plug-in */
export function openBareNames(
  found: Collector,
  isSettings: boolean,
): BareNames {
  const seen: (readonly [string, number])[] = [];
  let counts =
    isSettings || PASSES_OPTIONS.test(found.text) || BUILDS.test(found.text);
  let selects = false;
  let declared: Set<string> | undefined;
  /** Returns whether a function that a call calls by its name alone is the file's own. */
  const isOwn = (callee: unknown) => {
    if (!isNode(callee) || callee.type !== "Identifier") return false;
    declared ??= new Set(
      Array.from(found.text.matchAll(DECLARED), ([, name = ""]) => name),
    );
    return declared.has(nameOf(callee));
  };
  return {
    see(literal, text) {
      const at = literal.start + 1;
      // A stylesheet of a package: `styleUrls: ["~x/y.css"]`.
      if (text.startsWith("~") && text.includes("/")) {
        const name = text.slice(1);
        if (BARE.test(name)) found.add(name, "name-string", at + 1);
      } else
        for (const [name, index] of namesIn(text, isSettings))
          seen.push([name, at + index]);
    },
    addCall(call) {
      const args = listOf(call, "arguments");
      const [first] = args;
      if (!first || !args.some(mayName)) return;
      const word = literalText(first);
      // `const load = (name) => import(name); load("x")`.
      if (word !== undefined && WORD.test(word) && isOwn(call["callee"]))
        seen.push([word, first.start + 1]);
      addLoaded(call, args, found);
    },
    loadsAny() {
      counts = true;
    },
    selectsAny() {
      counts = selects = true;
    },
    finish() {
      for (const { 0: word, index } of selects
        ? found.text.matchAll(ONE_WORD)
        : [])
        seen.push([word, index]);
      for (const [text, offset] of counts ? seen : [])
        if (!found.has(offset)) found.add(text, "name-string", offset);
    },
  };
}
