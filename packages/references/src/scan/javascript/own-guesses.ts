import {
  isNode,
  listOf,
  nameOf,
  nodesOf,
  textOf,
  type BeginningText,
  type Node,
} from "./ast.js";
import { FROM_PACKAGE } from "../../reference.js";
import type { Places } from "./values/places.js";
import type { Collector } from "../positions.js";
import { addCode } from "../commands/shell-words.js";

/** Notes possible references to files of the same package that don't name them. */
export interface OwnGuesses {
  /** Notes a folder whose use isn't visible in the source: `readdirSync(__dirname)`, `join(here, name)`. */
  addPlace(node: Node): void;
  /** Notes the file's folder if it loads a module whose path is unknown from the beginning. */
  addLoad(call: Node, source: unknown): void;
  /** Does the same for a call that loads or finds modules; the file's own place in it is handled. */
  addCall(call: Node): void;
  /** Notes a file name without a folder: `join(root, "worker.js")`. */
  addName(literal: Node, text: BeginningText): void;
  /** Remembers the value of a variable, since the places where it is used are more specific. */
  keep(declarator: Node): void;
  /** Notes the folders that exported variables contain, since other files may use them in any way. */
  addExport(declaration: Node): void;
  /** Excludes the places in an expression whose path is known. */
  settle(expression: Node): void;
}

/** The name of a script with its ending, and nothing else. */
const FILE_NAME = /^[\w-][\w.-]*\.[cm]?[jt]sx?$/;

/** A pattern of files below the package's folder: `src/entity/**`. */
const PATTERN = /^((?:[\w@-][\w.@-]*\/)+)[^\s]*\*/;
/** A pattern of all pages of a package. */
const PAGES = /^\*[^\s]*(\.(?:mdx?|markdown|rst|adoc))$/;
/** Code in a string, which `eval` runs or a file is made of, and the modules that it loads. */
const HOLDS_CODE = /\b(?:require|import)\s*\(|\bfrom\s*["']/;
/** A program that runs such a string. */
const RUNS_CODE =
  /\beval\s*:\s*true|["'](?:-[ep]|--eval|--print)["']|\bnew\s+(?:Function|vm\.Script)\s*\(|\brunIn\w*Context\b/;
/** A sentence in which code is an example. */
const SENTENCE = /^\s*[A-Z][\w']* [`a-z]/;
const LOADED = /["'](\.{1,2}\/[\w./@-]+)["']/g;

/** Opens the guesses of one file. */
export function openOwnGuesses(places: Places, found: Collector): OwnGuesses {
  const settled = new Set<Node>();
  const exported = new Set<Node>();
  const folders = new Set<string>();
  const addFolder = (folder: string, offset: number) => {
    if (!folders.has(folder)) found.add(folder, "own-guess", offset, true);
    folders.add(folder);
  };
  return {
    addPlace,
    addLoad,
    addCall(call) {
      // The second argument of `new URL("./x", import.meta.url)` isn't a guess.
      if (call.type === "NewExpression") settle(call);
      else if (!nameOf(call["callee"]).startsWith("glob"))
        addLoad(call, listOf(call, "arguments")[0]);
    },
    addName(literal, { text, partial }) {
      const offset = literal.start + 1;
      if (!partial && FILE_NAME.test(text))
        found.add(`./${text}`, "own-guess", offset);
      const [, folder] = PATTERN.exec(text) ?? [];
      if (folder !== undefined)
        found.add(`${FROM_PACKAGE}${folder}`, "own-guess", offset, true);
      const [, ending] = PAGES.exec(text) ?? [];
      if (ending !== undefined)
        found.add(FROM_PACKAGE, "own-guess", offset, true, ending);
      if (HOLDS_CODE.test(text)) {
        if (RUNS_CODE.test(found.text) && !SENTENCE.test(text))
          addCode(text, "name-string", offset, found);
        for (const [, path = ""] of text.matchAll(LOADED))
          found.add(path, "own-guess", offset);
      }
    },
    keep(declarator) {
      const { id, init } = declarator as Node & { id?: unknown };
      const isMaker =
        isNode(init) &&
        init.type === "CallExpression" &&
        nameOf(init["callee"]) === "createRequire";
      if (!isNode(init) || !(isMaker || places.all(init).length > 0)) return;
      if (isNode(id) && !exported.has(declarator)) settle(id);
      settle(init);
    },
    addExport(declaration) {
      const { declaration: declared } = declaration;
      if (isNode(declared))
        for (const each of listOf(declared, "declarations")) exported.add(each);
    },
    settle,
  };

  function addLoad(call: Node, source: unknown): void {
    if (textOf(source) === undefined && places.all(source).length === 0)
      addFolder("./", call.start);
  }

  function addPlace(node: Node): void {
    if (settled.has(node)) return;
    // A path with words in it was noted where it is made.
    const made = places
      .all(node)
      .filter(({ words, text }) => !words && !text.startsWith("/"));
    if (made.length === 0) return;
    for (const { text } of made)
      addFolder(
        text.endsWith("/.self")
          ? text.slice(0, -".self".length)
          : `${text.replace(/\/$/, "")}/`,
        node.start,
      );
    settle(node);
  }

  function settle(expression: Node): void {
    settled.add(expression);
    for (const part of nodesOf(expression)) settle(part);
  }
}
