import {
  dotted,
  endOf,
  isNode,
  listOf,
  nameOf,
  rawOf,
  withoutTypes,
  type Node,
} from "../ast.js";
import type { Names } from "../values/names.js";

/** Names of functions that open or write the file that their first argument names, and use its folder for nothing. */
const OPENING = String.raw`(?:(?:read|write|append|output)(?:Text)?File|(?:read|load|write|output)(?:JSON|Json5?|Ya?ml|YAML|Toml|TOML)(?:File)?|readLines|create(?:Read|Write)Stream|(?:file|path)?[eE]xists|isFile|access|l?stat|unlink|copyFile)(?:Sync|Async)?`;
const OPENS = new RegExp(`^${OPENING}$`);
/** Most files contain no such call; then the names of the program aren't read. */
const CALLS_OPENING = new RegExp(String.raw`\b${OPENING}\s*[(<?!]`);
/** An option with the path of a manifest, whose fields a tool reads: `packageJsonPath: join(__dirname, "../b/package.json")`. */
const MANIFEST_OPTION = /\b(?:package|pkg|manifest)(?:Json)?(?:Path|File)\b/;
/** Functions that return the same path in another form. */
const SAME = /^(?:fileURLToPath|pathToFileURL)$/;
/** Names of functions that only ask whether a folder exists. */
const ASKS_FOLDER = /^(?:path)?exists(?:Sync)?$/i;
/** In files without these words, no path has a known end only. */
const MAY_OPEN = /\b(?:join|resolve)\(|\$\{|new URL\(/;

/** Returns whether a program may open files whose paths it makes. Then the uses of all its names matter. */
export function mayOpen(text: string): boolean {
  return (
    MAY_OPEN.test(text) &&
    (CALLS_OPENING.test(text) || MANIFEST_OPTION.test(text))
  );
}

/**
 * Finds the expressions whose value is the path of one file that the program only opens: the argument of
 * `readFileSync(join(root, name, "package.json"))`, the value of a constant that is used in this way only, and what a function
 * returns that does nothing else. The known end of such a path is the end of the file's path, and not that of a folder.
 * @param text the whole file, of which a program that may open files is parsed completely
 * @param names the names of the program; undefined if there are too many
 */
export function openedPaths(
  text: string,
  names: (() => Names) | undefined,
): ReadonlySet<Node> {
  const opened = new Set<Node>();
  if (!names || !mayOpen(text)) return opened;
  const all = names();
  const { mentions, constants, returned } = all;
  for (const [name, each] of mentions)
    if (MANIFEST_OPTION.test(name)) addOptions(each, all.parents, opened);
  if (!addArguments(all, opened)) return opened;
  const isOnly = (name: string, isOne: IsUse) =>
    mentions.get(name)?.every((each) => isOne(each, all.parents, opened)) ===
    true;
  // The value of a constant may be a call of a function, and a function may return such a call.
  for (let size = -1; size < opened.size;) {
    size = opened.size;
    for (const [name, value] of constants)
      if (isOnly(name, isUse)) opened.add(value);
    for (const [name, value] of returned)
      if (isOnly(name, isCall)) opened.add(value);
  }
  return opened;
}

/** A constant with a path, which may be a folder in which the program makes other paths. */
const HOLDS_FOLDER =
  /\bconst\s+([\w$]+)\s*(?::\s*string\s*)?=\s*(?:\w+\.)*(?:join|resolve)\(/g;

/**
 * Finds the paths of folders in which a program makes other paths, and of which it asks at most whether they exist:
 * `const dir = join(root, name)` with `join(dir, "x.json")` or `` `${dir}/src/*.mdx` ``. It uses only what the other paths mean.
 * @param text the whole file
 * @param names the names of the program; undefined if there are too many
 * @returns the expressions that make the paths of the folders, and the messages that show them
 */
export function folderPaths(
  text: string,
  names: (() => Names) | undefined,
): { readonly folders: ReadonlySet<Node>; readonly messages: readonly Node[] } {
  const held = Array.from(text.matchAll(HOLDS_FOLDER), ([, name = ""]) => name);
  const folders = new Set<Node>();
  const messages: Node[] = [];
  const found = { folders, messages };
  if (
    !names ||
    !held.some((name) =>
      ["${" + name + "}/", `join(${name},`, `resolve(${name},`].some((use) =>
        text.includes(use),
      ),
    )
  )
    return found;
  const { constants, mentions, parents } = names();
  for (const [name, value] of constants) {
    const all = mentions.get(name) ?? [];
    const isOne = constants.every(
      ([other, { start }]) => other !== name || start === value.start,
    );
    const makesPaths = all.some((each) => isBeginning(each, parents));
    if (!isOne || !makesPaths) continue;
    if (!all.every((each) => isOfFolder(each, parents))) continue;
    folders.add(value);
    for (const each of all) {
      const message = parents.get(each);
      if (message && isShown(message, parents)) messages.push(message);
    }
  }
  return found;
}

/** Returns whether a name is the beginning of another path at this place. */
function isBeginning(name: Node, parents: Names["parents"]): boolean {
  const parent = parents.get(name);
  if (parent?.type === "TemplateLiteral") {
    const [before, after] = listOf(parent, "quasis").map(rawOf);
    return (
      before === "" &&
      after?.startsWith("/") === true &&
      listOf(parent, "expressions")[0] === name
    );
  }
  return (
    parent?.type === "CallExpression" &&
    /^(?:join|resolve)$/.test(nameOf(parent["callee"])) &&
    listOf(parent, "arguments")[0] === name &&
    listOf(parent, "arguments").length > 1
  );
}

/** Returns whether a folder is declared at this place, begins another path, or is only asked about or shown. */
function isOfFolder(name: Node, parents: Names["parents"]): boolean {
  const parent = parents.get(name);
  if (!parent) return false;
  return (
    (parent.type === "VariableDeclarator" && parent["id"] === name) ||
    isBeginning(name, parents) ||
    (parent.type === "CallExpression" &&
      ASKS_FOLDER.test(nameOf(parent["callee"])) &&
      listOf(parent, "arguments")[0] === name) ||
    isMessage(parent) ||
    isShown(parent, parents)
  );
}

/** Returns whether a template is only shown to people. */
function isShown(template: Node, parents: Names["parents"]): boolean {
  const call = parents.get(template);
  return (
    template.type === "TemplateLiteral" && call !== undefined && isMessage(call)
  );
}

/** Adds the values of options with the path of a manifest. */
function addOptions(
  mentions: readonly Node[],
  parents: Names["parents"],
  opened: Set<Node>,
): void {
  for (const mention of mentions) {
    const { type, key, value } = parents.get(mention) ?? mention;
    const isOption = type === "Property" && key === mention;
    if (isOption && isNode(value) && endOf(value).endsWith("/package.json"))
      opened.add(value);
  }
}

/**
 * Adds the arguments that calls open.
 * @returns whether one of them is a name or the result of a call, so that it has been made elsewhere
 */
function addArguments(
  { mentions, parents }: Names,
  opened: Set<Node>,
): boolean {
  let isNamed = false;
  for (const [name, all] of mentions)
    for (const mention of OPENS.test(name) ? all : []) {
      const parent = parents.get(mention);
      const callee = parent?.type === "MemberExpression" ? parent : mention;
      const call = parents.get(callee);
      if (call?.type !== "CallExpression" || nameOf(call["callee"]) !== name)
        continue;
      let path = withoutTypes(listOf(call, "arguments")[0]);
      while (
        path?.type === "CallExpression" &&
        SAME.test(nameOf(path["callee"]))
      ) {
        opened.add(path);
        path = withoutTypes(listOf(path, "arguments")[0]);
      }
      if (path) opened.add(path);
      if (/^(?:Identifier|CallExpression)$/.test(path?.type ?? ""))
        isNamed = true;
    }
  return isNamed;
}

/** Whether a name does nothing else at one place. */
type IsUse = (
  name: Node,
  parents: Names["parents"],
  opened: ReadonlySet<Node>,
) => boolean;

/** Returns whether a constant is declared, opened, or only shown at this place. */
const isUse: IsUse = (name, parents, opened) => {
  const parent = parents.get(name);
  if (!parent) return false;
  return (
    (parent.type === "VariableDeclarator" && parent["id"] === name) ||
    opened.has(name) ||
    isMessage(parent) ||
    isShown(parent, parents)
  );
};

/** Returns whether a function is declared at this place, or called for a path that is opened. */
const isCall: IsUse = (name, parents, opened) => {
  const parent = parents.get(name);
  if (!parent) return false;
  return (
    parent["id"] === name || (parent["callee"] === name && opened.has(parent))
  );
};

/** Returns whether a call only shows its arguments to people. */
function isMessage(call: Node): boolean {
  return call.type === "NewExpression"
    ? nameOf(call["callee"]).endsWith("Error")
    : call.type === "CallExpression" &&
        dotted(call["callee"]).startsWith("console.");
}

/** Names of functions that read files, or find some. */
const READS = /^(?:read|exists|access|l?stat(?:Sync)?$|open|glob|fg$|load)/i;
/** Names of functions that list the folder that their first argument names. */
const LISTS_FOLDER = /^readdir(?:Sync)?$/;

/**
 * Returns whether a program reads only paths of a set: each of its calls that opens a file or lists a folder gets one, a constant
 * that is one, or what a function of the program returns that only returns one.
 * @param noted the paths
 */
export function opensOnly(
  noted: ReadonlySet<Node>,
  { mentions, constants, returned, parents }: Names,
): boolean {
  const isNoted = (path: Node | undefined): boolean =>
    path !== undefined &&
    (noted.has(path) ||
      valuesOf(path, { constants, returned }).some((value) => isNoted(value)));
  return Array.from(mentions).every(
    ([name, all]) =>
      !READS.test(name) ||
      all.every((mention) => {
        const parent = parents.get(mention);
        const isMember =
          parent?.type === "MemberExpression" && parent["property"] === mention;
        const callee = isMember ? parent : mention;
        const call = parents.get(callee);
        const isCall =
          call?.type === "CallExpression" && call["callee"] === callee;
        if (!isCall) return call?.type !== "CallExpression";
        return (
          (OPENS.test(name) || LISTS_FOLDER.test(name)) &&
          isNoted(withoutTypes(listOf(call, "arguments")[0]))
        );
      }),
  );
}

/** Returns the values of a constant, and the results of the function that a call names. */
function valuesOf(
  path: Node,
  { constants, returned }: Pick<Names, "constants" | "returned">,
): readonly Node[] {
  const [named, name] =
    path.type === "CallExpression"
      ? [returned, nameOf(path["callee"])]
      : [constants, path.type === "Identifier" ? nameOf(path) : ""];
  return named.flatMap(([each, value]) => (each === name ? [value] : []));
}
