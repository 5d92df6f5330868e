import { FROM_PACKAGE, type ReferenceKind } from "../../reference.js";
import {
  dotted,
  isNode,
  literalText,
  endOf,
  listOf,
  nameOf,
  nodesOf,
  textOf,
  unwrap,
  type Node,
} from "./ast.js";
import { PACKAGE } from "./settings/bare-names.js";
import { packageNameOf } from "../../resolve.js";
import { endsOfPattern } from "../patterns.js";
import type { Places } from "./values/places.js";
import type { Collector } from "../positions.js";
import { surelyWildAt, wildAt } from "../wild.js";

/** Methods whose first argument is a module, of any object: Jest, Vitest, node:test, proxyquire, testdouble, Grunt. */
export const MODULE_METHODS = [
  "mock",
  "doMock",
  "unmock",
  "doUnmock",
  "dontMock",
  "deepUnmock",
  "setMock",
  "requireActual",
  "requireMock",
  "importActual",
  "importMock",
  "createMockFromModule",
  "genMockFromModule",
  "unstable_mockModule",
  "unstable_unmockModule",
  "replaceEsm",
  "loadNpmTasks",
] as const;
const METHOD_KINDS: ReadonlyMap<string, ReferenceKind> = new Map([
  ...MODULE_METHODS.map((name) => [name, "mock"] as const),
  ["require", "require"],
]);
/** Functions of the same kind that are called by their name alone. */
export const MODULE_FUNCTIONS = [
  "proxyquire",
  "rewire",
  "esmock",
  "requireActual",
] as const;
const FUNCTIONS: ReadonlySet<string> = new Set(MODULE_FUNCTIONS);

/** The state of the walk through the file. */
export interface CallWalk {
  readonly found: Collector;
  readonly handled: Set<Node>;
  /** Names of functions that are a `require`. */
  readonly required: ReadonlySet<string>;
  /** Names of functions that return such a function: `createRequire`. */
  readonly makers: ReadonlySet<string>;
  readonly places: Pick<Places, "texts" | "words">;
  /** Paths that are only opened. */
  readonly opened: ReadonlySet<Node>;
}

/**
 * Notes the references of a call. Literals that it has handled are added to `handled`.
 * @returns whether the call is known to load or find modules
 */
export function scanCall(call: Node, walk: CallWalk): boolean {
  const { found, handled, required, makers, places } = walk;
  const args = listOf(call, "arguments");
  const [first] = args;
  const callee = lastOf(unwrap(call["callee"]));
  if (!first || !callee) return false;
  const name = nameOf(callee);
  const object =
    callee.type === "MemberExpression" ? unwrap(callee["object"]) : undefined;

  if (call.type === "NewExpression") {
    if (name !== "URL" || dotted(args[1]) !== "import.meta.url") return false;
    // The variables in a part that is known only at run time may have known values.
    if (textOf(first)?.partial) return false;
    // A folder that contains the file only says where the project is, as `join(__dirname, "../..")` does.
    const isAbove = /^[./]+$/.test(textOf(first)?.text ?? "");
    take(first, isAbove ? "path-string" : "url");
    // A bundler also finds a package: `new Worker(new URL("@m/b/worker.js", import.meta.url))`.
    const whole = textOf(first)?.text ?? "";
    if (PACKAGE.test(whole)) found.add(whole, "name-string", first.start + 1);
    return true;
  }
  const owner = dotted(object);
  if (isRequire(object ?? callee)) {
    // `require("x")`, `require.resolve("x")`; `require.context` and `require.resolve.paths` take folders.
    take(first, "require", name === "context");
  } else if (owner === "import.meta" && name === "resolve") {
    take(first, "require");
  } else if (owner === "import.meta" && /^glob(Eager)?$/.test(name)) {
    for (const item of [first, ...listOf(first, "elements")])
      takeGlob(item, found, handled);
  } else if (owner === "mock" && name === "module") {
    take(first, "mock");
  } else if (object ? METHOD_KINDS.has(name) : FUNCTIONS.has(name)) {
    if (isReplaced(name, args) && PACKAGE.test(literalText(first) ?? "")) {
      handled.add(first);
      const text = literalText(first) ?? "";
      found.add(text, "mock", first.start + 1, false, "name");
    } else take(first, METHOD_KINDS.get(name) ?? "require");
  } else return false;
  return true;

  function take(source: Node, kind: ReferenceKind, folder = false): void {
    addKnownNames(source, places, found);
    for (const each of places.texts(source)) {
      handled.add(source);
      // A pattern that is built as a URL for a `glob`.
      const wild = kind === "url" ? surelyWildAt(each.text) : -1;
      if (wild >= 0) {
        found.add(each.text.slice(0, wild), "glob", source.start + 1, true);
        continue;
      }
      // A path that is only found (`require.resolve`) may be used for its folder; a path that is loaded is one file.
      const isLoaded = each.partial && name !== "resolve";
      found.add(
        folder ? `${each.text}/` : each.text,
        each.isArgument === true ? "argument-path" : kind,
        source.start + 1,
        folder || each.partial,
        isLoaded ? endsOfPattern(endOf(source)) : "",
        { opened: walk.opened.has(call) },
      );
    }
  }

  function isRequire(node: Node): boolean {
    if (node.type === "Identifier") return required.has(String(node["name"]));
    // `require.resolve.paths(…)` and `createRequire(url)(…)`.
    if (node.type === "MemberExpression")
      return isRequire(node["object"] as Node) && nameOf(node) === "resolve";
    return node.type === "CallExpression" && makers.has(nameOf(node["callee"]));
  }
}

/** Methods that load a factory's module instead of the one that they name. */
const REPLACES = /^(?:mock|doMock|unstable_mockModule)$/;
/** Functions with which a factory loads the module that it replaces. */
const LOADS_ORIGINAL =
  /^(?:(?:require|import)(?:Actual|Mock|Original)|(?:create|gen)MockFromModule)$/;

/**
 * Returns whether a call replaces a module by the result of a function that doesn't load the module:
 * `vi.mock("x", () => ({ y: 1 }))`. The module must exist, but nothing reads it.
 */
function isReplaced(
  name: string,
  [, factory, ...others]: readonly Node[],
): boolean {
  const make = unwrap(factory);
  return (
    REPLACES.test(name) &&
    make?.type.includes("Function") === true &&
    others.length === 0 &&
    listOf(make, "params").length === 0 &&
    !namesIn(make).some((each) => LOADS_ORIGINAL.test(each))
  );
}

function namesIn(node: Node): readonly string[] {
  return [
    ...(node.type === "Identifier" ? [nameOf(node)] : []),
    ...nodesOf(node).flatMap(namesIn),
  ];
}

/** Notes the packages that a variable means which a call or an `import()` loads: `const name = "x"; require(name)`. */
export function addKnownNames(
  source: Node,
  places: Pick<Places, "texts" | "words">,
  found: Collector,
): void {
  if (places.texts(source).length > 0) return;
  for (const { text, partial } of places.words(source))
    if (!partial && LOADED_NAME.test(text))
      found.add(text, "name-string", source.start + 1);
}

/** A package, also one of one word, or a file of one. */
const LOADED_NAME = /^@?[a-z][\w./-]*$/;

/** Remembers that after `const load = createRequire(import.meta.url)`, `load` is a `require`. */
export function rememberRequire(
  node: Node,
  {
    required,
    makers,
  }: { readonly required: Set<string>; readonly makers: ReadonlySet<string> },
): void {
  const { id, init } = node as Node & { id?: unknown; init?: unknown };
  if (!isNode(id) || !isNode(init)) return;
  if (init.type === "Identifier" && nameOf(init) === "require")
    required.add(String(id["name"]));
  if (init.type !== "CallExpression") return;
  if (makers.has(nameOf(init["callee"]))) required.add(String(id["name"]));
}

/** Functions that make another path of one. */
const PATH_FUNCTIONS =
  /^(?:dirname|join|resolve|parse|relative|URL|(?:packageDirectory|pkgDir|findUp|packageUp)(?:Sync)?)$/;
const RESOLVES = /^(?:require|import\.meta)\.resolve$/;

/**
 * Notes that a call makes a path from the place of an installed package, which may lead to any of its files:
 * `dirname(require.resolve("x"))`.
 */
export function addResolvedFolder(call: Node, found: Collector): void {
  if (!PATH_FUNCTIONS.test(nameOf(call["callee"]))) return;
  const args = listOf(call, "arguments");
  const options = args.flatMap((arg) => listOf(arg, "properties"));
  for (const arg of [...args, ...options.map(({ value }) => value)]) {
    const inner = unwrap(arg);
    if (!inner || !RESOLVES.test(dotted(inner["callee"]))) continue;
    const [first] = listOf(inner, "arguments");
    const text = literalText(first) ?? "";
    if (first && PACKAGE.test(text))
      found.add(
        `${packageNameOf(text)}/`,
        "name-string",
        first.start + 1,
        true,
      );
  }
}

/** Returns the function that is called: `(0, require)("x")` calls the last one. */
function lastOf(callee: Node | undefined): Node | undefined {
  return callee?.type === "SequenceExpression"
    ? listOf(callee, "expressions").at(-1)
    : callee;
}

function takeGlob(item: Node, found: Collector, handled: Set<Node>): void {
  const text = textOf(item);
  if (!text || text.text.startsWith("!")) return;
  handled.add(item);
  const wild = wildAt(text.text);
  const path = wild < 0 ? text.text : text.text.slice(0, wild);
  const add = (meant: string, kind: ReferenceKind) =>
    found.add(meant, kind, item.start + 1, wild >= 0 || text.partial);
  // Vite's root is usually the package's folder, or a folder in it.
  if (path.startsWith("/../"))
    for (const above of [path.slice(1), path.slice("/../".length)])
      add(above, "cwd-path");
  else if (path.startsWith("/"))
    add(`${FROM_PACKAGE}${path.slice(1)}`, "own-guess");
  else add(path, "dynamic-import");
}
