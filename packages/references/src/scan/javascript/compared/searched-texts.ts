import { dotted, isNode, listOf, nameOf, type Node } from "../ast.js";
import type { Names } from "../values/names.js";

/** Names of functions that ask about the file that their first argument names, or remove it, and don't read its text. */
const ASKS =
  /^(?:(?:file|path)?[eE]xists|isFile|access|l?stat|unlink)(?:Sync|Async)?$/;
/** Names of functions that return a file's text. */
const READS = /^read(?:Text)?File(?:Sync|Async)?$/;
/** Members of a text that only tell whether it contains something. */
const TELLS = /^(?:includes|startsWith|endsWith|length)$/;
/** Assertions that compare a text or search it, and words before them. */
const ASSERTS =
  /^(?:to(?:Contain|Match|Be|Equal|StrictEqual|MatchSnapshot|MatchInlineSnapshot|HaveLength)|contain|include|match|equal)$/;
const BEFORE_ASSERTS = /^(?:not|to|be|resolves)$/;
/** Types of nodes whose value is that of the expression in them. */
const SAME =
  /^(?:Await|Parenthesized|Chain|TSAs|TSSatisfies|TSNonNull)Expression$/;

/**
 * Returns whether a call only asks whether a file exists, or whether the text that it returns contains something:
 * `readFileSync(path, "utf8").includes("x")`, `const text = await readFile(path, "utf8"); expect(text).toContain("x")`.
 * @param call of a function that opens its first argument
 */
export function isSearch(call: Node, names: Names): boolean {
  const name = nameOf(call["callee"]);
  const [, options, ...others] = listOf(call, "arguments");
  return (
    ASKS.test(name) ||
    (READS.test(name) &&
      others.length === 0 &&
      // Otherwise, it may be a function that gets the text.
      /^(?:|Literal|ObjectExpression)$/.test(options?.type ?? "") &&
      isSearched(call, names))
  );
}

/** Returns whether a program uses nothing else of a text. */
function isSearched(text: Node, names: Names): boolean {
  const { parents } = names;
  const parent = parents.get(text);
  if (!parent) return false;
  if (SAME.test(parent.type)) return isSearched(parent, names);
  switch (parent.type) {
    case "MemberExpression": {
      if (parent["object"] !== text || parent["computed"] === true)
        return false;
      const call = parents.get(parent);
      return nameOf(parent) === "toString" && call?.["callee"] === parent
        ? isSearched(call, names)
        : TELLS.test(nameOf(parent));
    }
    case "CallExpression":
      return isAsserted(text, parent, parents);
    case "VariableDeclarator":
      return isSearchedConstant(parent["id"], names);
    default:
      return false;
  }
}

/** Returns whether a constant is declared once, and nothing else of its text is used. */
function isSearchedConstant(id: unknown, names: Names): boolean {
  const name = isNode(id) && id.type === "Identifier" ? nameOf(id) : "";
  return (
    names.constants.filter(([each]) => each === name).length === 1 &&
    names.mentions
      .get(name)
      ?.every((each) => each === id || isSearched(each, names)) === true
  );
}

/** Returns whether a call only compares a text, or searches it: `/x/.test(text)`, `expect(text).not.toMatch("x")`. */
function isAsserted(
  text: Node,
  call: Node,
  parents: Names["parents"],
): boolean {
  const { callee } = call;
  if (!isNode(callee) || callee === text) return false;
  if (callee.type === "MemberExpression") {
    const name = nameOf(callee);
    const { object } = callee;
    if (name === "test")
      return isNode(object) && object.type === "Literal" && "regex" in object;
    return (
      /^assert\.\w+$/.test(dotted(callee)) &&
      /^(?:equal|strictEqual|match|doesNotMatch|ok)$/.test(name)
    );
  }
  if (nameOf(callee) !== "expect" || listOf(call, "arguments")[0] !== text)
    return false;
  let member = parents.get(call);
  while (
    member?.type === "MemberExpression" &&
    BEFORE_ASSERTS.test(nameOf(member))
  )
    member = parents.get(member);
  return member?.type === "MemberExpression" && ASSERTS.test(nameOf(member));
}
