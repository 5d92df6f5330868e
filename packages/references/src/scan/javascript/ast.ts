/** A node of an ESTree program, with the fields that the walkers use. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** Returns whether a value of the tree is a node. */
export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { type?: unknown }).type === "string"
  );
}

/** Returns a node's children in the parser's order. */
export function nodesOf(node: Node): readonly Node[] {
  const children: Node[] = [];
  for (const field in node) {
    const value = node[field];
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) children.push(item);
    } else if (isNode(value)) children.push(value);
  }
  return children;
}

/** Returns where the words of a template's part begin. In TypeScript's tree, the part begins at the sign before them. */
export function startOfWords(part: Node, text: string): number {
  return part.start + (/[`}]/.test(text[part.start] ?? "") ? 1 : 0);
}

/** Returns a list field of a node. */
export function listOf(node: Node, field: string): readonly Node[] {
  const value = node[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** Returns the value of a string literal, or of a template without substitutions. */
export function literalText(node: unknown): string | undefined {
  const text = textOf(node);
  return text && !text.partial ? text.text : undefined;
}

/** The text at the beginning of a string expression. */
export interface BeginningText {
  readonly text: string;
  /** More text follows that is known only at run time. */
  readonly partial: boolean;
  /**
   * A known end follows the part that is known only at run time: the string means something below the beginning, not the
   * beginning itself.
   */
  readonly goesOn?: boolean;
  /** One part of the path is an argument of the process, and the first that is known only at run time. */
  readonly isArgument?: boolean | undefined;
  /** The end of the path, if the program opens the file that it names: `/package.json` of `../${name}/package.json`. */
  readonly end?: string;
}

/**
 * Reads `"x"`, `` `x${y}` ``, `"x" + y`, `("x")` and `"x" as const`.
 * @returns undefined if not even the beginning is known
 */
export function textOf(node: unknown): BeginningText | undefined {
  if (!isNode(node)) return undefined;
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string"
        ? { text: node["value"], partial: false }
        : undefined;
    case "TemplateLiteral":
      return ofTemplate(node);
    case "BinaryExpression":
      return node["operator"] === "+" ? ofSum(node) : undefined;
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
      return textOf(node["expression"]);
    default:
      return undefined;
  }
}

/** Returns the text of a part of a template as it is written. */
export function rawOf(part: Node | undefined): string {
  return (part?.["value"] as { raw?: string } | undefined)?.raw ?? "";
}

/** Returns whether an expression is a template or a sum, whose parts may be names. */
export function isJoined(node: unknown): boolean {
  return (
    isNode(node) && /^(?:TemplateLiteral|BinaryExpression)$/.test(node.type)
  );
}

function ofTemplate(node: Node): BeginningText | undefined {
  const [first] = listOf(node, "quasis");
  const value = first?.["value"] as { cooked?: string | null } | undefined;
  const text = value?.cooked;
  if (text === undefined || text === null) return undefined;
  const partial = listOf(node, "expressions").length > 0;
  return partial && text === "" ? undefined : { text, partial };
}

function ofSum(node: Node): BeginningText | undefined {
  const left = textOf(node["left"]);
  if (!left || left.partial) return left;
  const right = textOf(node["right"]);
  return right
    ? { text: left.text + right.text, partial: right.partial }
    : { text: left.text, partial: true };
}

/** Returns the text at the end of a string or path, with any beginning; empty if it isn't known. */
export function endOf(value: unknown): string {
  const node = unwrap(value);
  if (!node) return "";
  switch (node.type) {
    case "Literal":
      return literalText(node) ?? "";
    case "TemplateLiteral": {
      const last = listOf(node, "quasis").at(-1)?.["value"];
      return (last as { cooked?: string | null } | undefined)?.cooked ?? "";
    }
    case "BinaryExpression":
      return node["operator"] === "+" ? endOf(node["right"]) : "";
    case "CallExpression":
    case "NewExpression": {
      const args = listOf(node, "arguments");
      const name = nameOf(node["callee"]);
      if (/^(?:URL|fileURLToPath)$/.test(name)) return endOf(args[0]);
      if (!/^(?:join|resolve)$/.test(name)) return "";
      const whole = literalText(args.at(-1));
      return whole === undefined ? endOf(args.at(-1)) : `/${whole}`;
    }
    default:
      return "";
  }
}

/** Returns an expression without parentheses, `?.` and `!` around it. */
export function unwrap(value: unknown): Node | undefined {
  if (!isNode(value)) return undefined;
  return value.type === "ChainExpression" ||
    value.type === "ParenthesizedExpression" ||
    value.type === "TSNonNullExpression"
    ? unwrap(value["expression"])
    : value;
}

/** Removes parentheses, `!`, `?.`, `as` and `satisfies` around an expression. */
export function withoutTypes(value: unknown): Node | undefined {
  const node = unwrap(value);
  return node?.type === "TSAsExpression" ||
    node?.type === "TSSatisfiesExpression"
    ? withoutTypes(node["expression"])
    : node;
}

/** Returns the last name of `a.b.c`, or `a`. */
export function nameOf(value: unknown): string {
  const node = unwrap(value);
  if (!node) return "";
  if (node.type === "Identifier") return String(node["name"]);
  return node.type === "MemberExpression" ? nameOf(node["property"]) : "";
}

/** Returns the name of a property, with or without quotes; undefined for a name in brackets. */
export function nameOfKey({ key, computed }: Node): string | undefined {
  if (!isNode(key) || computed === true) return undefined;
  return key.type === "Identifier" ? String(key["name"]) : literalText(key);
}

/** Returns `a.b.c` as text; empty for anything else. */
export function dotted(value: unknown): string {
  const node = unwrap(value);
  if (!node) return "";
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type === "MetaProperty") return "import.meta";
  return node.type === "MemberExpression" && node["computed"] !== true
    ? `${dotted(node["object"])}.${dotted(node["property"])}`
    : "";
}
