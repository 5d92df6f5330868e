import { parseSync } from "oxc-parser";

/** A value of JSON; undefined for a value that only running the program would reveal. */
export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | { readonly [name: string]: Literal };

interface Node {
  readonly type: string;
  readonly [member: string]: unknown;
}

/**
 * Returns the value of JSON with comments and trailing commas, which turbo.json and nx.json may contain. Undefined if
 * the text isn't valid.
 */
export function readJson(text: string): Literal {
  const { program, errors } = parseSync(
    "settings.js",
    `(${text.replace(/^\uFEFF/, "")}\n)`,
  );
  const [statement] = program.body as unknown as readonly Node[];
  return errors.length > 0 || statement?.type !== "ExpressionStatement"
    ? undefined
    : valueOf(statement["expression"], new Map());
}

/**
 * Returns the export of a settings file in JavaScript, as far as it consists of literals. It runs nothing, because
 * anyone may have written the file. It resolves names of the file's constants, and sees through a function around the
 * object (`defineConfig({…})`); any other computed value is undefined.
 * @param name the file's name, which determines the syntax
 */
export function readExported(name: string, text: string): Literal {
  const { program } = parseSync(name, text);
  const body = program.body as unknown as readonly Node[];
  const names = new Map<string, unknown>();
  let exported: unknown;
  for (const statement of body) {
    if (statement.type === "VariableDeclaration")
      for (const { id, init } of statement["declarations"] as readonly {
        id: Node;
        init: unknown;
      }[])
        if (id.type === "Identifier") names.set(String(id["name"]), init);
    if (statement.type === "ExportDefaultDeclaration")
      exported = statement["declaration"];
    if (statement.type === "ExpressionStatement") {
      const { left, right } = statement["expression"] as {
        left?: { start: number; end: number };
        right?: unknown;
      };
      if (left && text.slice(left.start, left.end) === "module.exports")
        exported = right;
    }
  }
  return valueOf(exported, names);
}

function valueOf(node: unknown, names: ReadonlyMap<string, unknown>): Literal {
  const { type, ...rest } = (node ?? { type: "" }) as Node;
  const inner = (each: unknown) => valueOf(each, names);
  switch (type) {
    case "Literal": {
      const { value } = rest;
      return typeof value === "object" && value !== null
        ? undefined
        : (value as Literal);
    }
    case "TemplateLiteral": {
      const [only, ...more] = rest["quasis"] as readonly {
        value: { cooked: string };
      }[];
      return more.length === 0 ? only?.value.cooked : undefined;
    }
    case "ArrayExpression":
      return (rest["elements"] as readonly unknown[]).map(inner);
    case "ObjectExpression":
      return Object.fromEntries(
        (rest["properties"] as readonly Node[]).flatMap((property) => {
          const name = nameOf(property);
          return name === undefined ? [] : [[name, inner(property["value"])]];
        }),
      );
    case "Identifier": {
      const name = String(rest["name"]);
      // Each name is resolved only once, so that `const a = a` ends here.
      const others = new Map([...names].filter(([key]) => key !== name));
      return valueOf(names.get(name), others);
    }
    case "CallExpression":
      return inner((rest["arguments"] as readonly unknown[])[0]);
    case "ParenthesizedExpression":
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return inner(rest["expression"]);
    default:
      return undefined;
  }
}

function nameOf({ type, key, computed }: Node): string | undefined {
  if (type !== "Property" || computed === true) return undefined;
  const { name, value } = key as { name?: unknown; value?: unknown };
  const found = name ?? value;
  return typeof found === "string" ? found : undefined;
}

/** Returns a member of an object; undefined for any other value. */
export function memberOf(value: Literal, name: string): Literal {
  return typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, Literal>>)[name]
    : undefined;
}

/** Returns the members of an object; an empty list for any other value. */
export function entriesOf(
  value: Literal,
): readonly (readonly [string, Literal])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

/** Returns the elements of a list; an empty list for any other value. */
export function itemsOf(value: Literal): readonly Literal[] {
  return Array.isArray(value) ? (value as readonly Literal[]) : [];
}

/** Returns the strings among the elements of a list; an empty list for any other value. */
export function stringsOf(value: Literal): readonly string[] {
  return itemsOf(value).filter((each) => typeof each === "string");
}
