import { LIBRARY_LOOKUPS, settingsOf } from "@skein/known-tools";
import {
  dotted,
  endOf,
  isNode,
  listOf,
  literalText,
  nameOf,
  textOf,
  unwrap,
  type Node,
} from "./ast.js";
import { GOES_UP } from "../path-strings.js";
import { endsOfPattern } from "../patterns.js";
import type { Places } from "./values/places.js";
import type { Collector } from "../positions.js";
import { wildAt } from "../wild.js";

/** Functions that open a path from the current directory: Node's, and those of fs-extra and similar packages. */
const OPENS =
  /^(?:read(?:File|Json|JSON|Lines)|createReadStream|open|opendir|readdir|access|exists|pathExists|l?stat|copy(?:File)?|cp|realpath|watch|loadEnvFile|outputFile)(?:Sync)?$/;

/**
 * Notes a path that a call opens from the current directory, if only its beginning is known: `readFileSync("../" + name)`,
 * `resolve("..", "..", name)`.
 * @param taken literals that it accounts for
 * @returns whether the path can begin nowhere else
 */
export function addCwdPath(
  call: Node,
  found: Collector,
  handled: Set<Node>,
): boolean {
  const name = nameOf(call["callee"]);
  const args = listOf(call, "arguments");
  const [first] = args;
  if (!first) return false;
  if (name === "resolve") return addResolved(args, found, handled);
  const isSearch = searches(call);
  if (!isSearch && !OPENS.test(name)) return false;
  for (const path of isSearch
    ? [first, ...listOf(first, "elements")]
    : [first]) {
    const text = textOf(path);
    if (!text?.partial || !GOES_UP.test(text.text)) continue;
    const wild = isSearch ? wildAt(text.text) : -1;
    const beginning = wild < 0 ? text.text : text.text.slice(0, wild);
    const suffix = endsOfPattern(endOf(path));
    found.add(beginning, "cwd-path", path.start + 1, true, suffix);
  }
  // A script may also change to the folder of the file first.
  return false;
}

/** Returns whether an expression is `process.cwd()`. */
function isCwd(value: unknown): boolean {
  return isNode(value) && dotted(value["callee"]) === "process.cwd";
}

/** Functions that search files by patterns, and objects with such methods. */
const SEARCHES = /^(?:glob(?:by)?(?:Sync)?|fg|fastGlob|tinyglobby)$/;

/** Returns whether a call searches files in the current directory. */
function searches(call: Node): boolean {
  const { callee } = call;
  const name = nameOf(callee);
  const object = isNode(callee) ? nameOf(callee["object"]) : "";
  const isSearch =
    SEARCHES.test(name) ||
    (SEARCHES.test(object) && /^(?:sync|async|stream|glob)$/.test(name));
  return (
    isSearch &&
    !listOf(call, "arguments").some((arg) =>
      listOf(arg, "properties").some(
        ({ key, value }) => nameOf(key) === "cwd" && !isCwd(value),
      ),
    )
  );
}

function addResolved(
  args: readonly Node[],
  found: Collector,
  handled: Set<Node>,
): boolean {
  const words = args.map(literalText);
  const unknown = words.indexOf(undefined);
  const beginning = words.slice(0, Math.max(unknown, 0)).join("/");
  const [first] = args;
  if (!first || !GOES_UP.test(beginning)) return false;
  for (const arg of args) handled.add(arg);
  const rest = unknown === args.length - 1 ? textOf(args[unknown]) : undefined;
  found.add(
    `${beginning}/${rest?.text ?? ""}`,
    "cwd-path",
    first.start + 1,
    true,
    endsOfPattern(endOf(args.at(-1))),
  );
  return true;
}

/** Notes the folder in which a program starts, if it isn't known completely: `{ cwd: `../${name}` }`. */
export function addUnknownCwd(property: Node, found: Collector): void {
  if (nameOf(property["key"]) !== "cwd") return;
  const { value } = property;
  const text = textOf(value);
  if (isNode(value) && text?.partial && GOES_UP.test(text.text))
    found.add(text.text, "cwd-path", value.start + 1, true, "/package.json");
}

/** Functions that look for a file in each folder above, and those that look for a tool's settings there. */
const FINDS_UP =
  /^(?:find-?up|findFileUp|lookItUp|searchUp|find-?config|look-?up)(?:Multiple)?(?:Sync)?$/i;
const FINDS_SETTINGS = /^(?:(?:cosmiconfig|lilconfig)(?:Sync)?|rc)$/;
/** The name of a file: with an ending, or with a dot or a capital at its beginning. */
const FILE = /^(?:[\w@-][\w.@-]*\.\w+|\.[\w-]+|[A-Z]\w+)$/;

/**
 * Notes the files of the root that a call may find by their names: `findUp("x.json")`, `cosmiconfig("tool")`,
 * `prettier.resolveConfig(file)`.
 */
export function addLookup(
  call: Node,
  places: Pick<Places, "words">,
  found: Collector,
): void {
  const name = nameOfCalled(call["callee"]);
  const [first] = listOf(call, "arguments");
  addLibraryLookup(name, call, found);
  if (!first) return;
  if (FINDS_UP.test(name))
    for (const each of [first, ...listOf(first, "elements")]) {
      const file = literalText(each);
      if (file !== undefined && FILE.test(file))
        found.add(file, "root-guess", each.start + 1);
    }
  if (!FINDS_SETTINGS.test(name)) return;
  for (const { text: tool, partial } of places.words(first))
    if (!partial && /^[\w-]+$/.test(tool))
      for (const settings of [`.${tool}rc`, `${tool}.config.`])
        found.add(settings, "root-guess", first.start + 1, true);
}

/** Returns the name of a called function, also of `require("x")()`; for `x.sync()`, that of `x`. */
function nameOfCalled(value: unknown): string {
  const callee = unwrap(value);
  const [made] = callee ? listOf(callee, "arguments") : [];
  const name = nameOf(callee) || ((made && literalText(made)) ?? "");
  const object = unwrap(callee?.["object"]);
  return name === "sync" && object
    ? (literalText(listOf(object, "arguments")[0]) ?? nameOf(object))
    : name;
}

/** Notes the settings that a function of a library looks up, if the file names the library. */
function addLibraryLookup(name: string, call: Node, found: Collector): void {
  for (const [functions, library, settings] of LIBRARY_LOOKUPS)
    if (
      functions.test(name) &&
      ["'", '"'].some((quote) => found.text.includes(quote + library + quote))
    )
      for (const each of settings)
        for (const glob of settingsOf(each).files) {
          const beginning = glob.replace(/[*?{[].*$/, "");
          found.add(beginning, "root-guess", call.start, true);
        }
}
