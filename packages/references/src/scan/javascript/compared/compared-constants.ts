import {
  isNode,
  listOf,
  literalText,
  nameOf,
  nameOfKey,
  withoutTypes,
  type Node,
} from "../ast.js";
import { PACKAGE } from "../settings/bare-names.js";
import {
  ASKS,
  CHOOSES,
  isAsked,
  OF_OTHERS,
  onlyCompares,
  SAME,
  type ParentOf,
} from "./compared-elements.js";
import { ignoresAll } from "../settings/selecting.js";
import { oncePerName } from "./once-per-name.js";
import { LOADS, usesNames } from "./used-names.js";
import type { Names } from "../values/names.js";
import type { Collector } from "../../positions.js";

/** Methods of a list, a set or a string that only compare. */
const OF_LIST = /^(?:has|includes|indexOf|lastIndexOf)$/;
/** Between names in a message for people. A command or a path that contains the names has other characters between them. */
const IN_MESSAGES = /^(?:, |\n| \| | and | or )/;
const LISTS = /^readdir(?:Sync)?$/;

/** A constant that is a path, a list or a set of strings, a table of strings, or a list of names in a folder. */
const CONSTANT =
  /\bconst\s+[\w$]+(?:\s*:[^=\n]*)?\s*=\s*(?:new Set(?:<[^>\n]*>)?\(\s*)?(?:\[\s*(?:\[\s*)?["'`]|\{\s*(?:[\w$]+|"[^"\n]*"|'[^'\n]*')\s*:\s*["'`]|["'`][@./]|(?:await\s+)?(?:[\w.]+\.)?readdir)/;
/** A pattern, a comparison with a name, or a text of the translations with that name. */
const COMPARISON =
  /IgnorePatterns|\bRegExp\(|\.(?:has|includes|indexOf|some|every|filter|find(?:Last)?(?:Index)?)\(|\.(?:startsWith|endsWith)\(\s*[A-Za-z_$][\w$]*\s*\)|[!=]==|[tT]ransl\w+\(\s*[A-Za-z_$]/;

/** In a longer text, which is generated as a rule, the search would take longer than all others. */
const LONGEST = 50_000;

/** Returns whether a program may have constants that it only compares. */
export function mayCompare(text: string): boolean {
  return text.length <= LONGEST && CONSTANT.test(text) && COMPARISON.test(text);
}

/** Functions that get the name of a group of texts, which translators choose. */
const TRANSLATES = /^(?:(?:use|with|get)Translations?|translateFrom)$/;

/**
 * Opens the search for strings that a node only compares with another value, or that name a group of translations:
 * `name.startsWith("@m/a")`, `case "@m/a":`, `useTranslation("@m/a")`. They refer to nothing, unless the program opens what it
 * has compared.
 * @param text the whole file
 */
export function openComparedStrings(
  text: string,
): (node: Node) => readonly Node[] {
  let isUsed: boolean | undefined;
  return (node) => {
    const listed = comparedList(node, text);
    if (listed.length > 0) return listed;
    const strings = comparedIn(node).filter(({ type }) => type === "Literal");
    return strings.length === 0 || (isUsed ??= usesNames(text)) ? [] : strings;
  };
}

/**
 * Returns the value that an expression compares with a variable, if the program loads the module that the variable names:
 * `if (name === "@m/a") import(name)`. All other compared values refer to nothing.
 */
export function loadedIfEqual(
  { operator, left, right }: Node,
  text: string,
): Node | undefined {
  if (
    (operator !== "===" && operator !== "==") ||
    !isNode(left) ||
    !isNode(right)
  )
    return undefined;
  const [variable, value] =
    left.type === "Identifier" ? [left, right] : [right, left];
  if (variable.type !== "Identifier") return undefined;
  if (!PACKAGE.test(literalText(value) ?? "")) return undefined;
  const name = nameOf(variable).replaceAll("$", String.raw`\$`);
  const loads = String.raw`(?:${LOADS})\(\s*(?:\/\*[^*]*\*\/\s*)?(?:${name}\s*[,)+]|\`\$\{${name}\})`;
  return new RegExp(loads).test(text) ? value : undefined;
}

/**
 * Returns the strings of a list that a program only searches for a value, if it can't use a package of that name:
 * `["@m/a"].includes(name)`.
 */
function comparedList(node: Node, text: string): readonly Node[] {
  const { callee } = node;
  if (node.type !== "CallExpression" || !isNode(callee)) return [];
  const list = callee["object"];
  if (!isNode(list) || list.type !== "ArrayExpression") return [];
  const [value, ...others] = listOf(node, "arguments");
  if (!OF_LIST.test(nameOf(callee)) || !value || others.length > 0) return [];
  return usesNames(text, text.slice(value.start, value.end))
    ? []
    : listOf(list, "elements").filter(({ type }) => type === "Literal");
}

function comparedIn(node: Node): readonly Node[] {
  switch (node.type) {
    case "SwitchCase":
      return [node["test"]].filter(isNode);
    case "CallExpression": {
      const callee = nameOf(node["callee"]);
      const args = listOf(node, "arguments");
      if (TRANSLATES.test(callee))
        return args.flatMap((each) => [each, ...listOf(each, "elements")]);
      const isMethod =
        isNode(node["callee"]) && node["callee"].type === "MemberExpression";
      return isMethod && OF_OTHERS.test(callee) ? args.slice(0, 1) : [];
    }
    default:
      return [];
  }
}

/**
 * Finds constants that the program only compares with other values: `new Set(["@m/a"]).has(name)`,
 * `file.startsWith(FOLDER)`. The strings in them refer to nothing, unless the program opens what it has compared. Of a folder
 * whose list is only compared, the program uses no file.
 * @param names the names of the program
 * @returns the strings, and the calls that list folders
 */
export function comparedConstants(
  names: () => Names,
  found: Collector,
): readonly Node[] {
  if (!mayCompare(found.text)) return [];
  const program = names();
  const uses = new ConstantUses(program);
  const isUsed = usesNames(found.text);
  return program.constants.flatMap(([name, value]) => {
    if (!uses.isCompared(name)) return [];
    const call = value.type === "AwaitExpression" ? value["argument"] : value;
    if (isListing(call)) return [call];
    return isUsed ? [] : stringsIn(value);
  });
}

/** The uses of a program's constants. */
class ConstantUses {
  readonly #names: Names;
  readonly #parentOf: ParentOf;

  constructor(names: Names) {
    this.#names = names;
    this.#parentOf = (node) => names.parents.get(node);
  }

  /** Returns whether the program only compares the constant. */
  readonly isCompared = oncePerName((name) => {
    const all = this.#names.mentions.get(name) ?? [];
    return all.length > 1 && all.every((each) => this.#isHarmless(each, name));
  });

  #isHarmless(mention: Node, name: string): boolean {
    const parent = this.#parentOf(mention);
    const next = parent && this.#parentOf(parent);
    if (!parent || !next) return false;
    if (parent.type === "VariableDeclarator")
      return nameOf(parent["id"]) === name;
    if (parent.type === "BinaryExpression")
      return (
        SAME.test(String(parent["operator"])) || this.#isInPattern(mention)
      );
    if (parent.type === "TemplateLiteral") {
      const whole = nameOf(next["id"]);
      return next.type === "VariableDeclarator"
        ? this.isCompared(whole)
        : this.#isInPattern(mention);
    }
    if (parent.type === "MemberExpression")
      return (
        parent["object"] === mention &&
        ((isEquality(next) && this.#isTable(name)) ||
          (next.type === "CallExpression" &&
            next["callee"] === parent &&
            (isComparison(nameOf(parent), listOf(next, "arguments")) ||
              (joinsPattern(next) && this.#isInPattern(next)) ||
              this.#isQuestion(nameOf(parent), next))))
      );
    // `keyof typeof TABLE`
    if (parent.type === "TSTypeQuery") return this.#isTable(name);
    return (
      parent.type === "CallExpression" &&
      [OF_OTHERS, TRANSLATES].some((each) =>
        each.test(nameOf(parent["callee"])),
      ) &&
      listOf(parent, "arguments")[0] === mention
    );
  }

  /** Returns whether a constant is an object, of which a program may compare a field: `name !== TABLE.b`. */
  #isTable(name: string): boolean {
    const values = this.#names.constants.filter(([other]) => other === name);
    return values.every(([, { type }]) => type === "ObjectExpression");
  }

  /** Returns whether a value is part of a regular expression, or of a pattern with which settings exclude files. */
  #isInPattern(value: Node): boolean {
    let parent = this.#parentOf(value);
    while (parent && OF_PATTERN.test(parent.type))
      parent = this.#parentOf(parent);
    if (parent?.type === "Property") return ignoresAll(nameOfKey(parent) ?? "");
    return (
      (parent?.type === "NewExpression" || parent?.type === "CallExpression") &&
      nameOf(parent["callee"]) === "RegExp"
    );
  }

  /** Returns whether a method of a list asks a function that only compares the elements, and the answer names none of them. */
  #isQuestion(method: string, call: Node): boolean {
    const [callback, ...others] = listOf(call, "arguments");
    return (
      others.length === 0 &&
      (ASKS.test(method) ||
        (CHOOSES.test(method) &&
          isAsked(call, this.#parentOf, (name) => this.#isOnlyAsked(name)))) &&
      onlyCompares(callback, this.#parentOf)
    );
  }

  /** Returns whether only the presence of a constant's value matters. */
  #isOnlyAsked(name: string): boolean {
    const { constants, mentions } = this.#names;
    return (
      constants.some(([other]) => other === name) &&
      (mentions.get(name) ?? []).every((mention) => {
        const parent = this.#parentOf(mention);
        return parent?.type === "VariableDeclarator"
          ? parent["id"] === mention &&
              !this.#isExported(this.#parentOf(parent))
          : isAsked(mention, this.#parentOf, () => false);
      })
    );
  }

  #isExported(declaration: Node | undefined): boolean {
    return (
      declaration !== undefined &&
      this.#parentOf(declaration)?.type.startsWith("Export") === true
    );
  }
}

function isEquality({ type, operator }: Node): boolean {
  return type === "BinaryExpression" && SAME.test(String(operator));
}

/** Expressions that make a pattern, or a list of patterns, from their parts. */
const OF_PATTERN =
  /^(?:TemplateLiteral|BinaryExpression|ArrayExpression|ParenthesizedExpression)$/;

/** Returns whether a call joins names to the alternatives of a pattern: `names.join("|")`. */
function joinsPattern(call: Node): boolean {
  const [separator] = listOf(call, "arguments");
  return nameOf(call["callee"]) === "join" && literalText(separator) === "|";
}

/** Returns whether a method of a constant compares it with a value that isn't in the source, or lists it in a message. */
function isComparison(method: string, args: readonly Node[]): boolean {
  if (method === "join")
    return args.some((each) => IN_MESSAGES.test(literalText(each) ?? ""));
  return OF_LIST.test(method) && !args.some(({ type }) => type === "Literal");
}

/** Returns whether a value is a call that lists the names in a folder. */
function isListing(value: unknown): value is Node {
  const call = withoutTypes(value);
  return (
    call?.type === "CallExpression" &&
    LISTS.test(nameOf(call["callee"])) &&
    listOf(call, "arguments").length === 1
  );
}

/** Returns the strings of a constant: a string, a list, a set, a table, the alternatives of a pattern; none of any other value. */
function stringsIn(value: Node): readonly Node[] {
  switch (value.type) {
    case "Literal":
    case "TemplateLiteral":
      return [value];
    case "ArrayExpression":
      return listOf(value, "elements").flatMap(stringsIn);
    case "ObjectExpression":
      return listOf(value, "properties").flatMap(({ type, value: of }) =>
        type === "Property" && isNode(of) ? stringsIn(of) : [],
      );
    case "NewExpression":
      return nameOf(value["callee"]) === "Set"
        ? listOf(value, "arguments").flatMap(stringsIn)
        : [];
    case "CallExpression": {
      const { callee } = value;
      const list = isNode(callee) ? callee["object"] : undefined;
      return isNode(list) && joinsPattern(value) ? stringsIn(list) : [];
    }
    default:
      return [];
  }
}
