import {
  SETTINGS_NAMES,
  settingsOf,
  toolCalled,
  type SettingsName,
} from "@skein/known-tools";
import { CLOSED_SIGN } from "../../reference.js";
import {
  dotted,
  endOf,
  isNode,
  listOf,
  literalText,
  nameOf,
  nodesOf,
  unwrap,
  type Node,
} from "./ast.js";
import type { Collector } from "../positions.js";
import { NAMES_ITS_PLACE } from "./values/own-place.js";

/** Modules of Node that neither run other programs nor load code. */
const HARMLESS: ReadonlySet<string> = new Set(
  `assert assert/strict buffer console constants crypto events fs fs/promises os path path/posix path/win32 perf_hooks
  process punycode querystring readline readline/promises stream stream/promises string_decoder timers timers/promises tty
  url util util/types zlib`.split(/\s+/),
);
/** Functions of `child_process` whose first argument is a command. */
const STARTS: ReadonlySet<string> = new Set(["exec", "execSync"]);
/** Commands that ask a registry or git about something, and read no other file. */
const QUESTION =
  /^(?:npm (?:show|view|info)|git (?:rev-parse|describe|tag|rev-list|branch|remote|symbolic-ref)|(?:node|npm|yarn|pnpm|git) (?:-v|--version))(?: [\w@.:/=^~-]+)*$/;

/** The file imports a module that this scanner knows. Most files don't, so they need no further search. */
const IMPORTS =
  /(?:\bfrom|\bimport|\brequire\s*\()\s*["'](?:node:)?(?:fs|path|child_process|module|url|os|util|process|crypto)\b/;
/**
 * Words with which code runs other code, lists or copies folders, looks for settings, or finds the root: any of them may read
 * anything.
 */
const MAY_DO_MORE =
  /\b(?:INIT_CWD|PROJECT_CWD|OLDPWD|PWD|eval|Function|WebAssembly|getBuiltinModule|mainModule|binding|dlopen|Worker|fork|_load|Module|register|arguments)\b|[.["']constructor\b|\b(?:readdir|opendir|glob|scandir|cp|copy(?:Dir|Folder)\w*)(?:Sync)?\b|\.conf(?:ig)?\b|\.\w+rc\b|[iI]gnore["'`]|app\.json|__mocks__/;
/**
 * Names of programs whose settings any code may read, and the fields of a manifest that contain settings. Code that names one
 * may read them.
 */
const NAMES_SETTINGS = new RegExp(
  String.raw`\b(?:${SETTINGS_NAMES.flatMap(namesOf)
    .map((name) => `${/\w[\w-]*/.exec(name)?.[0] ?? ""}\\w*`)
    .join("|")})\b`,
);
/** Comments for linters, which name them. */
const FOR_LINTERS =
  /\/[/*]\s*(?:eslint|oxlint|prettier|istanbul|c8|v8)[\w-]*[^\n]*/g;

/**
 * Notes that a program is closed: it loads only harmless modules of Node and files that it names, and starts only commands
 * that read nothing. So it loads no program that may read settings. The reader of the index finds out whether the files that it
 * names are closed too. A program gets no note if this can't be proved, or if it doesn't name its place: the parser doesn't read
 * all of such a file.
 * @param program the whole file
 */
export function addClosed(program: unknown, found: Collector): void {
  const { text } = found;
  if (!isNode(program) || !NAMES_ITS_PLACE.test(text)) return;
  if (!IMPORTS.test(text) || MAY_DO_MORE.test(text)) return;
  if (NAMES_SETTINGS.test(text.replaceAll(FOR_LINTERS, ""))) return;
  if (new Loads(program).areKnown()) found.add(CLOSED_SIGN, "program", 0);
}

function namesOf(name: SettingsName): readonly string[] {
  const { foreignEndings, isNamed, files, fields = [] } = settingsOf(name);
  if (foreignEndings || files.length + fields.length === 0) return [];
  return isNamed && !toolCalled(name) ? fields : [name, ...fields];
}

/** The modules that a program loads, and the commands that it starts. */
class Loads {
  readonly #program: Node;
  /** Names of functions that are a `require`, that make one, and that start a command. */
  readonly #required = new Set(["require"]);
  readonly #makers = new Set<string>();
  readonly #starters = new Set<string>();
  /** The initial values of constants. A name with two of them has none. */
  readonly #constants = new Map<string, unknown>();
  /** Names at places where their use is known. */
  readonly #known = new Set<unknown>();
  /** Code, and not only a comment, names the place of the program. */
  #namesItsPlace = false;

  constructor(program: Node) {
    this.#program = program;
  }

  areKnown(): boolean {
    // Imports and constants count from everywhere in the file.
    return (
      this.#every((node) => this.#declares(node)) &&
      this.#namesItsPlace &&
      this.#every((node) => this.#isKnown(node))
    );
  }

  #every(holds: (node: Node) => boolean, node = this.#program): boolean {
    return (
      holds(node) && nodesOf(node).every((child) => this.#every(holds, child))
    );
  }

  #declares(node: Node): boolean {
    switch (node.type) {
      case "ImportDeclaration":
        return this.#imports(node);
      case "ExportAllDeclaration":
      case "ExportNamedDeclaration":
        return node["source"] === null || this.#isNamed(node["source"]);
      case "TSExternalModuleReference":
        return false;
      case "Identifier":
      case "MetaProperty":
      case "MemberExpression":
        this.#namesItsPlace ||= NAMES_ITS_PLACE.test(dotted(node));
        return true;
      case "VariableDeclaration": {
        for (const { id, init } of listOf(node, "declarations"))
          this.#addVariable(id, init, node["kind"] === "const");
        return true;
      }
      default:
        // Parameters may hide constants.
        for (const each of [...listOf(node, "params"), node["param"]])
          this.#addOther(each);
        return true;
    }
  }

  #imports(node: Node): boolean {
    const { source } = node;
    for (const { local } of listOf(node, "specifiers")) this.#addOther(local);
    const name = moduleOf(source);
    if (name !== "child_process" && name !== "module")
      return this.#isNamed(source);
    return listOf(node, "specifiers").every((specifier) => {
      const { imported, local } = specifier;
      this.#known.add(imported).add(local);
      const names = name === "module" ? this.#makers : this.#starters;
      names.add(nameOf(local));
      return name === "module"
        ? nameOf(imported) === "createRequire"
        : STARTS.has(nameOf(imported));
    });
  }

  #addVariable(id: unknown, init: unknown, isConstant: boolean): void {
    if (!isNode(id) || id.type !== "Identifier" || !isConstant) {
      this.#addOther(id);
      return;
    }
    const name = nameOf(id);
    const isFirst = !this.#constants.has(name);
    this.#constants.set(name, isFirst ? init : undefined);
    const call = unwrap(init);
    const maker = unwrap(call?.["callee"]);
    if (call?.type !== "CallExpression" || !this.#makers.has(nameOf(maker)))
      return;
    this.#required.add(name);
    this.#known.add(id).add(maker);
  }

  /** Remembers that the names in a pattern may have other values. */
  #addOther(pattern: unknown): void {
    if (!isNode(pattern)) return;
    if (pattern.type === "Identifier")
      this.#constants.set(nameOf(pattern), undefined);
    for (const part of nodesOf(pattern)) this.#addOther(part);
  }

  #isKnown(node: Node): boolean {
    switch (node.type) {
      case "ImportExpression":
        return this.#isNamed(node["source"]);
      case "CallExpression":
        return this.#isKnownCall(node);
      case "Identifier": {
        const name = nameOf(node);
        return (
          this.#known.has(node) ||
          ![this.#required, this.#makers, this.#starters].some((names) =>
            names.has(name),
          )
        );
      }
      default:
        return true;
    }
  }

  #isKnownCall(call: Node): boolean {
    const callee = unwrap(call["callee"]);
    const [first] = listOf(call, "arguments");
    if (callee?.type !== "Identifier") return true;
    const name = nameOf(callee);
    if (this.#starters.has(name)) {
      this.#known.add(callee);
      return QUESTION.test(literalText(first) ?? "");
    }
    if (!this.#required.has(name)) return true;
    this.#known.add(callee);
    return this.#isNamed(first) || this.#isData(first);
  }

  /** Returns whether a module is harmless, or a file that is named completely. */
  #isNamed(source: unknown): boolean {
    const name = moduleOf(source);
    return HARMLESS.has(name) || /^\.\.?\//.test(name);
  }

  /** Returns whether a path ends with `.json`: such a file contains no code. */
  #isData(path: unknown): boolean {
    const node = unwrap(path);
    const value =
      node?.type === "Identifier" ? this.#constants.get(nameOf(node)) : node;
    return endOf(value).endsWith(".json");
  }
}

/** Returns the name of a module of Node, or a path; empty if it isn't known. */
function moduleOf(source: unknown): string {
  return (literalText(source) ?? "").replace(/^node:/, "");
}
