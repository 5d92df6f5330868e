import {
  HARMLESS_MODULES,
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
  unwrap,
  type Node,
} from "./ast.js";
import type { Collector } from "../positions.js";
import { openNames, type Names } from "./values/names.js";
import { NAMES_ITS_PLACE } from "./values/own-place.js";

/** Functions of other modules of Node whose calls are known: those that start the command in their first argument. */
const KNOWN_FUNCTIONS: ReadonlyMap<string, RegExp> = new Map([
  ["child_process", /^exec(?:Sync)?$/],
  ["module", /^createRequire$/],
]);
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
  const names = openNames(program, text)?.();
  if (names && isClosed(names)) found.add(CLOSED_SIGN, "program", 0);
}

function namesOf(name: SettingsName): readonly string[] {
  const { foreignEndings, isNamed, files, fields = [] } = settingsOf(name);
  if (foreignEndings || files.length + fields.length === 0) return [];
  return isNamed && !toolCalled(name) ? fields : [name, ...fields];
}

/** Returns whether code names its place, loads only what it names, and starts only commands that read nothing. */
function isClosed(names: Names): boolean {
  const nodes = [...names.parents.keys()];
  const makers = importedFrom("module", nodes);
  const starters = importedFrom("child_process", nodes);
  const made = names.constants.flatMap(([name, value]) =>
    makers.includes(nameOf(value["callee"])) ? name : [],
  );
  const loaders = ["require", ...made];
  return (
    // A comment may name the place, too.
    nodes.some((node) => NAMES_ITS_PLACE.test(dotted(node))) &&
    nodes.every(loadsNamed) &&
    [...loaders, ...makers, ...starters].every((name) =>
      (names.mentions.get(name) ?? []).every((each) => isKnown(each, name)),
    )
  );

  /** Returns whether a function that loads modules or starts commands is only declared here, or called in a known way. */
  function isKnown(mention: Node, name: string): boolean {
    const parent = names.parents.get(mention);
    if (parent?.type === "ImportSpecifier") return true;
    if (parent?.type === "VariableDeclarator")
      return parent["id"] === mention && made.includes(name);
    if (parent?.type !== "CallExpression" || parent["callee"] !== mention)
      return false;
    const [first] = listOf(parent, "arguments");
    if (starters.includes(name)) return QUESTION.test(literalText(first) ?? "");
    return makers.includes(name)
      ? names.constants.some(([, value]) => value === parent)
      : isNamed(first) || isData(first, names);
  }
}

/** Returns the names of the functions that a program imports from a module. */
function importedFrom(module: string, nodes: readonly Node[]) {
  return nodes.flatMap((node) =>
    node.type === "ImportDeclaration" && moduleOf(node["source"]) === module
      ? listOf(node, "specifiers").map(({ local }) => nameOf(local))
      : [],
  );
}

/** Returns whether a node loads nothing, or only what it names, or imports functions whose calls are known. */
function loadsNamed(node: Node): boolean {
  const { source, type } = node;
  if (type === "ImportExpression") return isNamed(source);
  if (type === "TSExternalModuleReference") return false;
  if (!/^(?:Import|ExportAll|ExportNamed)Declaration$/.test(type)) return true;
  const known = KNOWN_FUNCTIONS.get(moduleOf(source));
  return known && type === "ImportDeclaration"
    ? listOf(node, "specifiers").every(({ imported }) =>
        known.test(nameOf(imported)),
      )
    : source === null || isNamed(source);
}

/** Returns whether a module is harmless, or a file that is named completely. */
function isNamed(source: unknown): boolean {
  const name = moduleOf(source);
  return HARMLESS_MODULES.has(name) || /^\.\.?\//.test(name);
}

/** Returns whether a path ends with `.json`: such a file contains no code. */
function isData(path: unknown, names: Names): boolean {
  const node = unwrap(path);
  const value = node?.type === "Identifier" ? constantOf(node, names) : node;
  return endOf(value).endsWith(".json");
}

/** Returns the value of a constant, if nothing else in the program has its name. */
function constantOf(
  { name }: Node,
  { constants, mentions, parents }: Names,
): Node | undefined {
  const [only, ...others] = constants.filter(([each]) => each === name);
  const isOther = (mention: Node) => {
    const parent = parents.get(mention);
    return (
      parent !== undefined &&
      (parent["id"] === mention
        ? parent["init"] !== only?.[1]
        : IS_OTHER.test(parent.type) ||
          listOf(parent, "params").includes(mention) ||
          parents.get(parent)?.type === "ObjectPattern")
    );
  };
  return others.length > 0 || mentions.get(String(name))?.some(isOther)
    ? undefined
    : only?.[1];
}

/** Nodes that declare the names in them. */
const IS_OTHER = /Pattern$|^(?:RestElement|CatchClause|Import\w+Specifier)$/;

/** Returns the name of a module of Node, or a path; empty if it isn't known. */
function moduleOf(source: unknown): string {
  return (literalText(source) ?? "").replace(/^node:/, "");
}
