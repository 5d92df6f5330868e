import {
  dotted,
  listOf,
  nameOf,
  nodesOf,
  withoutTypes,
  type Node,
} from "./ast.js";
import type { Mention, Names } from "./names.js";

/** Names of functions that open or write the file that their first argument names, and use its folder for nothing. */
const OPENING = String.raw`(?:(?:read|write|append|output)(?:Text)?File|(?:read|load|write|output)(?:JSON|Json5?|Ya?ml|YAML|Toml|TOML)(?:File)?|readLines|create(?:Read|Write)Stream|(?:file|path)?[eE]xists|isFile|access|l?stat|unlink|copyFile)(?:Sync|Async)?`;
const OPENS = new RegExp(`^${OPENING}$`);
/** Most files contain no such name; then the walk through the program is saved. */
const NAMES_OPENING = new RegExp(String.raw`\b${OPENING}\b`);
/** Functions that return the same path in another form. */
const SAME = /^(?:fileURLToPath|pathToFileURL)$/;
/** In files without these words, no path has a known end only. */
const MAY_OPEN = /\b(?:join|resolve)\(|\$\{|new URL\(/;

/**
 * Finds the expressions whose value is the path of one file that the program only opens: the argument of
 * `readFileSync(join(root, name, "package.json"))`, the value of a constant that is used in this way only, and what a function
 * returns that does nothing else. The known end of such a path is the end of the file's path, and not that of a folder.
 * @param program the program, or its beginning
 * @param text the whole file
 * @param names the names of the program; undefined if there are too many
 */
export function openedPaths(
  program: Node,
  text: string,
  names: (() => Names) | undefined,
): ReadonlySet<Node> {
  const opened = new Set<Node>();
  if (!MAY_OPEN.test(text) || !NAMES_OPENING.test(text)) return opened;
  const isNamed = addArguments(program, opened);
  if (!isNamed || !names) return opened;
  const { mentions, constants, returned } = names();
  // It isn't known how the rest of the file uses a name.
  const others = new Set(text.slice(program.end).match(/[\w$]+/g));
  const isOnly = (name: string, isOne: (mention: Mention) => boolean) =>
    !others.has(name) && mentions.get(name)?.every(isOne) === true;
  // The value of a constant may be a call of a function, and a function may return such a call.
  for (let size = -1; size < opened.size;) {
    size = opened.size;
    for (const [name, value] of constants)
      if (isOnly(name, (each) => isUse(each, opened))) opened.add(value);
    for (const [name, value] of returned)
      if (isOnly(name, (each) => isCall(each, opened))) opened.add(value);
  }
  return opened;
}

/**
 * Adds the arguments that calls open.
 * @returns whether one of them is a name or the result of a call, so that it has been made elsewhere
 */
function addArguments(node: Node, opened: Set<Node>): boolean {
  let isNamed = false;
  if (node.type === "CallExpression" && OPENS.test(nameOf(node["callee"]))) {
    let path = withoutTypes(listOf(node, "arguments")[0]);
    while (
      path?.type === "CallExpression" &&
      SAME.test(nameOf(path["callee"]))
    ) {
      opened.add(path);
      path = withoutTypes(listOf(path, "arguments")[0]);
    }
    if (path) opened.add(path);
    isNamed = /^(?:Identifier|CallExpression)$/.test(path?.type ?? "");
  }
  for (const child of nodesOf(node))
    if (addArguments(child, opened)) isNamed = true;
  return isNamed;
}

/** Returns whether a constant is declared, opened, or only shown at this place. */
function isUse({ around }: Mention, opened: ReadonlySet<Node>): boolean {
  const [parent, next] = around;
  const name = around.at(-1);
  if (!parent || !name) return false;
  return (
    (parent.type === "VariableDeclarator" && parent["id"] === name) ||
    opened.has(name) ||
    isMessage(parent) ||
    (parent.type === "TemplateLiteral" && next !== undefined && isMessage(next))
  );
}

/** Returns whether a function is declared at this place, or called for a path that is opened. */
function isCall({ around }: Mention, opened: ReadonlySet<Node>): boolean {
  const [parent] = around;
  const name = around.at(-1);
  if (!parent || !name) return false;
  return (
    parent["id"] === name || (parent["callee"] === name && opened.has(parent))
  );
}

/** Returns whether a call only shows its arguments to people. */
function isMessage(call: Node): boolean {
  return call.type === "NewExpression"
    ? nameOf(call["callee"]).endsWith("Error")
    : call.type === "CallExpression" &&
        dotted(call["callee"]).startsWith("console.");
}
