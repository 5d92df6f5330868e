import {
  isNode,
  listOf,
  nameOf,
  nameOfKey,
  nodesOf,
  type Node,
} from "../ast.js";
import { cookedIn } from "../values/following.js";
import type { Walk } from "../walk.js";

/** A scope, as all that is known of a name. */
const SCOPE = /^@[\w.-]+\/$/;
const LISTS = /^readdir(?:Sync)?$/;
const EACH = /^(?:map|flatMap|forEach)$/;

/**
 * Notes the aliases that settings make of a variable, which is a part of the name and of its target:
 * `` [`@acme/${name}`, `${MODULES}/${name}/src`] ``, `` alias[`@acme/${name}`] = `../${name}/src` ``. Only imports of such a name use
 * the target. A folder that is listed only to make them is read by nothing else.
 */
export function addComputedAlias(node: Node, walk: Walk): void {
  const { found, places, handled, hasSettings } = walk;
  if (!hasSettings || !found.text.includes("alias")) return;
  const [name, target] = pairIn(node) ?? [];
  if (!name || !target) return;
  if (isOfSameName(name, target)) {
    for (const part of [name, target, ...nodesOf(name), ...nodesOf(target)])
      handled.add(part);
    return;
  }
  const variable = variableOf(name);
  if (variable === undefined || !isFirstUnknown(variable, target, walk)) return;
  for (const { text: scope } of places.words(name).filter(isScope))
    for (const { text, partial, words } of places.all(target)) {
      if (!partial || !words) continue;
      const alias = `${scope}*=${text}*`;
      found.add(alias, "tsconfig-paths", words.start + 1);
      const listed = listedOnlyFor(variable, [name, target], walk);
      for (const folder of listed ? places.all(listed) : [])
        if (listed && `${folder.text}/` === text)
          for (const offset of [listed.start, (folder.words?.start ?? 0) + 1])
            found.add(alias, "tsconfig-paths", offset);
    }
}

function isScope({ text, partial }: { text: string; partial: boolean }) {
  return partial && SCOPE.test(text);
}

/** Returns the name and the target in an entry of a list of pairs or of aliases, in a property, or in an assignment. */
function pairIn(node: Node): readonly (Node | undefined)[] | undefined {
  switch (node.type) {
    case "ArrayExpression": {
      const pair = listOf(node, "elements");
      return pair.length === 2 ? pair : undefined;
    }
    case "ObjectExpression":
      return ["find", "replacement"].map((field) => {
        const value = listOf(node, "properties").find(
          (each) => nameOfKey(each) === field,
        )?.["value"];
        return isNode(value) ? value : undefined;
      });
    case "Property":
      return node["computed"] === true
        ? [node["key"], node["value"]].filter(isNode)
        : undefined;
    case "AssignmentExpression": {
      const { left, right } = node;
      return isNode(left) && left["computed"] === true
        ? [left["property"], right].filter(isNode)
        : undefined;
    }
    default:
      return undefined;
  }
}

/** Returns whether a target is in the package that the name names: `` `@acme/${name}/src` ``. */
function isOfSameName(name: Node, target: Node): boolean {
  const [before, end, ...others] = cookedIn(name);
  const [same, after, ...more] = cookedIn(target);
  const variable = variableOf(name);
  return (
    variable !== undefined &&
    variable === variableIn(target) &&
    before !== undefined &&
    SCOPE.test(before) &&
    same === before &&
    end === "" &&
    after?.startsWith("/") === true &&
    others.length + more.length === 0
  );
}

/** Returns the variable that is the end of a name. */
function variableOf(name: Node): string | undefined {
  return cookedIn(name).at(-1) === "" ? variableIn(name) : undefined;
}

/** Returns the last variable of a template. */
function variableIn(template: Node): string | undefined {
  const last = listOf(template, "expressions").at(-1);
  return last?.type === "Identifier" ? nameOf(last) : undefined;
}

/** Returns whether everything before a variable in a path is known. */
function isFirstUnknown(
  variable: string,
  path: Node,
  { places }: Walk,
): boolean {
  const parts = [...listOf(path, "expressions"), ...listOf(path, "arguments")];
  const place = parts.findIndex((part) => mentions(part, variable));
  return (
    place >= 0 &&
    parts.slice(0, place).every((part) => {
      const values = [...places.all(part), ...places.words(part)];
      return values.length > 0 && values.every(({ partial }) => !partial);
    })
  );
}

function mentions(node: Node, variable: string): boolean {
  return (
    (node.type === "Identifier" && nameOf(node) === variable) ||
    nodesOf(node).some((each) => mentions(each, variable))
  );
}

/** Returns the folder whose names a variable gets one by one, if the program uses the list and the variable for nothing else. */
function listedOnlyFor(
  variable: string,
  pair: readonly Node[],
  { names }: Walk,
): Node | undefined {
  if (!names) return undefined;
  const { mentions: all, constants, parents } = names();
  const within = (node: Node): boolean => {
    for (let at: Node | undefined = node; at; at = parents.get(at))
      if (pair.includes(at)) return true;
    return false;
  };
  const [declaration, ...others] = (all.get(variable) ?? []).filter(
    (each) => !within(each),
  );
  if (!declaration || others.length > 0) return undefined;
  const list = listOfEach(declaration, (node) => parents.get(node));
  const isOnly = (all.get(nameOf(list)) ?? []).length === 2;
  const value =
    list?.type === "Identifier" && isOnly
      ? constants.find(([name]) => name === nameOf(list))?.[1]
      : list;
  const call = value?.type === "AwaitExpression" ? value["argument"] : value;
  if (!isNode(call) || call.type !== "CallExpression") return undefined;
  const [folder, ...rest] = listOf(call, "arguments");
  return LISTS.test(nameOf(call["callee"])) && rest.length === 0
    ? folder
    : undefined;
}

/** Returns the list whose elements a parameter of a callback gets, or the variable of a loop. */
function listOfEach(
  declaration: Node,
  parentOf: (node: Node) => Node | undefined,
): Node | undefined {
  const parent = parentOf(declaration);
  if (parent?.type.includes("Function") === true) {
    const call = parentOf(parent);
    const callee = call?.["callee"];
    return isNode(callee) &&
      EACH.test(nameOf(callee)) &&
      isNode(callee["object"])
      ? callee["object"]
      : undefined;
  }
  const variable = parent?.type === "VariableDeclarator" ? parent : undefined;
  const loop = variable && parentOf(parentOf(variable) ?? variable);
  return loop?.type === "ForOfStatement" && isNode(loop["right"])
    ? loop["right"]
    : undefined;
}
