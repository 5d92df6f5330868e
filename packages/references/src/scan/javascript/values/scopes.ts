import { addTo } from "@skein/reporting/group-by";
import {
  isNode,
  listOf,
  nameOf,
  nodesOf,
  unwrap,
  withoutTypes,
  type Node,
} from "../ast.js";
import { giveElements, rememberLoop, type Loops } from "./loop-elements.js";

/** An expression, and the scope of its names. */
export interface Value {
  readonly node: Node;
  readonly scope: Scope;
}

/** The possible meanings of one name. */
export interface Binding {
  /**
   * All values that the file gives it: initial values, later ones, defaults, arguments of calls in the file. Values that
   * don't make a path, a string, an object or a function are skipped.
   */
  readonly values: Value[];
  /** It has no other values: a constant, or a parameter of a function that only this file calls. */
  isComplete: boolean;
  /**
   * It is a parameter of this function, with one value for each call in the file, in the order of the calls; or a part of the
   * elements over which this loop goes, with one value for each of them.
   */
  callee?: Node;
  /** It is a constant that takes this part of another value, and has no value of its own. */
  part?: Part | undefined;
}

/** A part of a value, by the keys that lead to it: a field's name, an index, `...` for the rest. */
export interface Part {
  readonly of: Value;
  readonly path: readonly (string | undefined)[];
}

/** The names of one block or function. */
export class Scope {
  readonly names = new Map<string, Binding>();
  readonly #outer: Scope | undefined;
  /** The scope of a `var`. */
  readonly ofFunction: Scope;

  constructor(outer?: Scope, isFunction = false) {
    this.#outer = outer;
    this.ofFunction = isFunction || !outer ? this : outer.ofFunction;
  }

  /** Returns the binding of a name here; undefined for an imported or global name. */
  find(name: string): Binding | undefined {
    return this.names.get(name) ?? this.#outer?.find(name);
  }
}

/** A call, or another value that a name gets later; undefined if its value can't be followed. */
interface Later {
  readonly name: string;
  readonly scope: Scope;
  readonly node: Node | undefined;
}

/** Functions that return a path. */
const MAKERS =
  /^(?:join|resolve|dirname|cwd|fileURLToPath|pathToFileURL|realpathSync|normalize|toNamespacedPath|String|URL|homedir|tmpdir|mkdtemp|mkdtempSync)$/;
/** Words of a file that reads the arguments of its process. Only in such files, parts of values matter. */
export const ARGUMENTS = /\bargv\b|\bparseArgs\b/;
const FUNCTION =
  /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/;
const BLOCK =
  /^(?:BlockStatement|For\w*Statement|CatchClause|SwitchStatement|StaticBlock|TSModuleBlock)$/;

/**
 * Reads the scopes of a program, each by the node that opens it. Parameters get their defaults, and the arguments of calls of
 * their function in the same file.
 */
export function readScopes(
  program: Node,
  text: string,
): ReadonlyMap<Node, Scope> {
  const reading: Reading = {
    each: new Map(),
    readsArguments: ARGUMENTS.test(text),
    scopes: new Map(),
    functions: new Map(),
    assignments: [],
    calls: [],
    mentions: new Map(),
    exported: new Set(),
    loops: { each: [], lists: new Map() },
  };
  const outermost = new Scope();
  reading.scopes.set(program, outermost);
  for (const child of nodesOf(program)) visit(child, outermost, reading);
  const changed = new Set<Binding | undefined>();
  for (const { name, node, scope } of reading.assignments) {
    const binding = scope.find(name);
    changed.add(binding);
    if (!binding) continue;
    binding.isComplete = false;
    if (node) binding.values.push({ node, scope });
  }
  give(reading);
  giveElements(reading.loops, { ...reading, changed, valueOf });
  return reading.scopes;
}

interface Reading {
  readonly scopes: Map<Node, Scope>;
  readonly functions: Map<Binding, Node>;
  readonly assignments: Later[];
  readonly calls: Later[];
  /** How often each name occurs in the file, with any meaning. */
  readonly mentions: Map<string, number>;
  readonly exported: Set<unknown>;
  /** The lists whose elements loops declare, by the declaration. */
  readonly each: Map<Node, Value>;
  readonly readsArguments: boolean;
  readonly loops: Loops;
}

function visit(node: Node, outer: Scope, reading: Reading): void {
  const scope = opened(node, outer, reading);
  switch (node.type) {
    case "Identifier": {
      const name = String(node["name"]);
      reading.mentions.set(name, (reading.mentions.get(name) ?? 0) + 1);
      break;
    }
    case "ExportNamedDeclaration":
    case "ExportDefaultDeclaration": {
      const { declaration } = node;
      reading.exported.add(declaration);
      if (isNode(declaration))
        for (const each of listOf(declaration, "declarations"))
          reading.exported.add(each["init"]);
      break;
    }
    case "VariableDeclaration": {
      const { kind } = node;
      const target = kind === "var" ? scope.ofFunction : scope;
      for (const { id, init } of listOf(node, "declarations") as Declarator[]) {
        const value = valueOf(init, scope);
        const isConstant = kind === "const";
        const binding = declare(id, value, target, isConstant);
        const each = reading.each.get(node);
        const list = isConstant ? withoutTypes(init) : undefined;
        if (binding && list?.type === "ArrayExpression")
          reading.loops.lists.set(binding, { node: list, scope });
        const whole = isNode(init) ? { node: init, scope } : each;
        if (isConstant && whole && reading.readsArguments)
          takeApart(id, { of: whole, path: each ? [undefined] : [] }, target);
        if (binding && value && FUNCTION.test(value.node.type))
          reading.functions.set(binding, value.node);
      }
      break;
    }
    case "ForOfStatement": {
      const { left, right } = node;
      if (isNode(left) && isNode(right))
        reading.each.set(left, { node: right, scope });
      rememberLoop(node, scope, reading.loops);
      break;
    }
    case "AssignmentExpression":
      later(
        node["left"],
        valueOf(node["right"], scope)?.node,
        scope,
        reading.assignments,
      );
      break;
    case "CallExpression":
      later(node["callee"], node, scope, reading.calls);
      rememberLoop(node, scope, reading.loops);
      break;
    default:
  }
  for (const child of nodesOf(node)) visit(child, scope, reading);
}

function opened(node: Node, outer: Scope, reading: Reading): Scope {
  const isFunction = FUNCTION.test(node.type);
  if (!isFunction && !BLOCK.test(node.type)) return outer;
  const scope = new Scope(outer, isFunction);
  reading.scopes.set(node, scope);
  if (node.type === "FunctionDeclaration") {
    const binding = declare(node["id"], undefined, outer, false);
    if (binding) reading.functions.set(binding, node);
  }
  for (const param of isFunction ? listOf(node, "params") : [])
    declare(param, undefined, scope, false);
  if (node.type === "CatchClause")
    declare(node["param"], undefined, scope, false);
  return scope;
}

/** Gives the arguments of calls to the parameters of the called functions. */
function give({ scopes, functions, calls, mentions, exported }: Reading): void {
  const callsOf = new Map<Node, Later[]>();
  for (const call of calls) {
    const binding = call.scope.find(call.name);
    const callee = binding && functions.get(binding);
    if (!callee) continue;
    addTo(callsOf, callee, call);
  }
  for (const [callee, own] of callsOf) {
    // Nothing but its declaration and its calls mentions it.
    const isClosed =
      !exported.has(callee) &&
      mentions.get(own[0]?.name ?? "") === own.length + 1;
    listOf(callee, "params").forEach((param, index) => {
      const binding =
        param.type === "Identifier"
          ? scopes.get(callee)?.names.get(String(param["name"]))
          : undefined;
      if (!binding) return;
      const wasSet = binding.values.length > 0;
      const given = own.map(({ node, scope }) =>
        valueOf(node && listOf(node, "arguments")[index], scope),
      );
      for (const value of given) if (value) binding.values.push(value);
      const isOfCalls = !wasSet && given.every((value) => value !== undefined);
      binding.isComplete = isClosed && isOfCalls;
      if (isOfCalls) binding.callee = callee;
    });
  }
}

type Declarator = Node & { readonly id: unknown; readonly init: unknown };

/**
 * Declares the names of a pattern.
 * @returns the binding of a plain name
 */
function declare(
  pattern: unknown,
  value: Value | undefined,
  scope: Scope,
  isComplete: boolean,
): Binding | undefined {
  if (!isNode(pattern)) return undefined;
  switch (pattern.type) {
    case "Identifier": {
      const name = String(pattern["name"]);
      const known = scope.names.get(name);
      const binding = known ?? {
        values: [],
        isComplete: isComplete && value !== undefined,
      };
      if (known) known.isComplete = false;
      scope.names.set(name, binding);
      if (value) binding.values.push(value);
      return binding;
    }
    case "AssignmentPattern":
      declare(pattern["left"], valueOf(pattern["right"], scope), scope, false);
      return undefined;
    case "TSParameterProperty":
      declare(pattern["parameter"], undefined, scope, false);
      return undefined;
    case "RestElement":
      declare(pattern["argument"], undefined, scope, false);
      return undefined;
    default:
      for (const part of [
        ...listOf(pattern, "properties"),
        ...listOf(pattern, "elements"),
      ])
        declare(
          part.type === "Property" ? part["value"] : part,
          undefined,
          scope,
          false,
        );
      return undefined;
  }
}

/** Assigns to each name of a pattern its part of a value. A name with a default may have another value. */
function takeApart(pattern: unknown, { of, path }: Part, scope: Scope): void {
  if (!isNode(pattern)) return;
  const take = (part: unknown, key: string | undefined) =>
    takeApart(part, { of, path: [...path, key] }, scope);
  switch (pattern.type) {
    case "Identifier": {
      const binding = scope.names.get(String(pattern["name"]));
      // If it is declared twice, its value isn't known.
      if (binding?.values.length === 0)
        binding.part = binding.part === undefined ? { of, path } : undefined;
      return;
    }
    case "ArrayPattern": {
      const elements = pattern["elements"] as readonly unknown[];
      elements.forEach((element, index) =>
        isNode(element) && element.type === "RestElement"
          ? take(element["argument"], "...")
          : take(element, String(index)),
      );
      return;
    }
    case "ObjectPattern":
      for (const property of listOf(pattern, "properties"))
        if (property.type === "Property" && property["computed"] !== true)
          take(property["value"], nameOf(property["key"]));
      return;
    default:
  }
}

function valueOf(value: unknown, scope: Scope): Value | undefined {
  const node = unwrap(value);
  return node && saysSomething(node) ? { node, scope } : undefined;
}

/** Returns whether an expression may be a path, a string, an object that contains some, or a function. */
function saysSomething(node: Node): boolean {
  switch (node.type) {
    case "CallExpression":
    case "NewExpression":
      return MAKERS.test(nameOf(node["callee"]));
    case "Literal":
      return typeof node["value"] === "string";
    default:
      return /^(?:Identifier|MemberExpression|TemplateLiteral|BinaryExpression|ConditionalExpression|LogicalExpression|ObjectExpression|TS(?:As|Satisfies)Expression)$|Function/.test(
        node.type,
      );
  }
}

function later(
  target: unknown,
  node: Node | undefined,
  scope: Scope,
  list: Later[],
): void {
  if (isNode(target) && target.type === "Identifier")
    list.push({ name: String(target["name"]), scope, node });
}
