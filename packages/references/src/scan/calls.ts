import type { ReferenceKind } from "../reference.js";
import { isNode, listOf, textOf, type Node } from "./ast.js";
import type { Collector } from "./positions.js";

/** Methods whose first argument is a module, whoever offers them: Jest, Vitest, node:test, proxyquire's kin. */
const MODULE_METHODS: Readonly<Record<string, ReferenceKind>> = {
  mock: "mock",
  doMock: "mock",
  unmock: "mock",
  doUnmock: "mock",
  dontMock: "mock",
  deepUnmock: "mock",
  setMock: "mock",
  requireActual: "mock",
  requireMock: "mock",
  importActual: "mock",
  importMock: "mock",
  createMockFromModule: "mock",
  genMockFromModule: "mock",
  unstable_mockModule: "mock",
  unstable_unmockModule: "mock",
  require: "require",
};
/** Functions of the same kind that are called by their bare name. */
const MODULE_FUNCTIONS = new Set(["proxyquire", "rewire", "requireActual"]);

/** What a call refers to. Literals that it accounts for are put into `taken`. */
export function scanCall(
  call: Node,
  found: Collector,
  taken: Set<Node>,
  required: ReadonlySet<string>,
): void {
  const args = listOf(call, "arguments");
  const [first] = args;
  const callee = unwrap(call["callee"]);
  if (!first || !callee) return;
  const name = nameOf(callee);
  const object =
    callee.type === "MemberExpression" ? unwrap(callee["object"]) : undefined;

  if (call.type === "NewExpression") {
    if (name === "URL" && /^import\.meta\.url$/.test(dotted(args[1])))
      take(first, "url");
    return;
  }
  const owner = dotted(object);
  if (isRequire(object ?? callee, required)) {
    // `require("x")`, `require.resolve("x")`; `require.context` and `require.resolve.paths` take folders.
    take(first, "require", name === "context");
  } else if (owner === "import.meta" && name === "resolve") {
    take(first, "require");
  } else if (owner === "import.meta" && /^glob(Eager)?$/.test(name)) {
    for (const item of [first, ...listOf(first, "elements")])
      takeGlob(item, found, taken);
  } else if (owner === "mock" && name === "module") {
    take(first, "mock");
  } else if (object ? name in MODULE_METHODS : MODULE_FUNCTIONS.has(name)) {
    take(first, MODULE_METHODS[name] ?? "require");
  } else if (name === "join" || name === "resolve") {
    joinedPath(args, found, taken);
  }

  function take(source: Node, kind: ReferenceKind, folder = false): void {
    const text = textOf(source);
    if (!text) return;
    taken.add(source);
    const specifier = folder ? `${text.text}/` : text.text;
    found.add(specifier, kind, source.start + 1, folder || text.partial);
  }
}

function takeGlob(item: Node, found: Collector, taken: Set<Node>): void {
  const text = textOf(item);
  if (!text || text.text.startsWith("!")) return;
  taken.add(item);
  const wild = text.text.search(/[*?[{]/);
  found.add(
    wild < 0 ? text.text : text.text.slice(0, wild),
    "dynamic-import",
    item.start + 1,
    wild >= 0 || text.partial,
  );
}

/** `path.join(__dirname, "..", "x")`: whatever comes first is taken for the file's own folder. */
function joinedPath(
  args: readonly Node[],
  found: Collector,
  taken: Set<Node>,
): void {
  const start = args.findIndex((arg) => textOf(arg) !== undefined);
  const first = args[start];
  if (!first || start > 1) return;
  const here = start === 1 && isHere(args[0]);
  const parts: string[] = [];
  let partial = false;
  for (const arg of args.slice(start)) {
    const text = textOf(arg);
    partial = text?.partial ?? true;
    if (!text) break;
    taken.add(arg);
    parts.push(text.text);
    if (partial) break;
  }
  const joined = parts.join("/");
  if (!here && !/^\.\.?(\/|$)/.test(joined)) {
    for (const arg of args) taken.delete(arg);
    return;
  }
  found.add(
    here && !/^\.\.?(\/|$)/.test(joined)
      ? `./${joined.replace(/^\/+/, "")}`
      : joined,
    "path-string",
    first.start + 1,
    partial,
  );
}

function isHere(node: Node | undefined): boolean {
  return /^(__dirname|import\.meta\.dirname)$/.test(dotted(node));
}

function isRequire(node: Node, required: ReadonlySet<string>): boolean {
  if (node.type === "Identifier") return required.has(String(node["name"]));
  // `require.resolve.paths(…)` and `createRequire(url)(…)`.
  if (node.type === "MemberExpression")
    return (
      isRequire(node["object"] as Node, required) && nameOf(node) === "resolve"
    );
  return (
    node.type === "CallExpression" && nameOf(node["callee"]) === "createRequire"
  );
}

function unwrap(value: unknown): Node | undefined {
  if (!isNode(value)) return undefined;
  return value.type === "ChainExpression" ||
    value.type === "ParenthesizedExpression" ||
    value.type === "TSNonNullExpression"
    ? unwrap(value["expression"])
    : value;
}

/** The last name of `a.b.c`, or `a`. */
function nameOf(value: unknown): string {
  const node = unwrap(value);
  if (!node) return "";
  if (node.type === "Identifier") return String(node["name"]);
  return node.type === "MemberExpression" ? nameOf(node["property"]) : "";
}

/** `a.b.c` as text; empty for anything else. */
function dotted(value: unknown): string {
  const node = unwrap(value);
  if (!node) return "";
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type === "MetaProperty") return "import.meta";
  return node.type === "MemberExpression" && node["computed"] !== true
    ? `${dotted(node["object"])}.${dotted(node["property"])}`
    : "";
}
