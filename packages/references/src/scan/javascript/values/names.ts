import { addTo } from "@skein/reporting/group-by";
import { listOf, nameOf, nodesOf, withoutTypes, type Node } from "../ast.js";

/** The names of a program. Scopes aren't distinguished: all uses of a name belong together. */
export interface Names {
  readonly mentions: ReadonlyMap<string, readonly Node[]>;
  /** The values of constants that aren't exported where they are declared. */
  readonly constants: readonly NamedValue[];
  /** The results of functions that only return them, and aren't exported where they are declared. */
  readonly returned: readonly NamedValue[];
  /** The node around each node. */
  readonly parents: ReadonlyMap<Node, Node>;
}

type NamedValue = readonly [name: string, value: Node];

interface Reading extends Names {
  readonly mentions: Map<string, Node[]>;
  readonly constants: NamedValue[];
  readonly returned: NamedValue[];
  readonly parents: Map<Node, Node>;
}

/** The length from which a file is a bundle. To find the uses of each of its names would take longer than the rest. */
const LARGE = 500_000;

/**
 * Returns a function that reads the names of a program when it is first called; undefined for a bundle.
 * @param text the whole file
 */
export function openNames(
  program: Node,
  text: string,
): (() => Names) | undefined {
  if (text.length >= LARGE) return undefined;
  let known: Names | undefined;
  return () => (known ??= readNames(program));
}

/** Reads the names of a program. Keys of objects and of members count as names, too. */
function readNames(program: Node): Names {
  const reading: Reading = {
    mentions: new Map(),
    constants: [],
    returned: [],
    parents: new Map(),
  };
  collect(program, undefined, reading);
  return reading;
}

function collect(node: Node, parent: Node | undefined, reading: Reading): void {
  if (parent) reading.parents.set(node, parent);
  const isExported = parent?.type.startsWith("Export") === true;
  switch (node.type) {
    case "Identifier": {
      addTo(reading.mentions, nameOf(node), node);
      break;
    }
    case "FunctionDeclaration": {
      const result = resultOf(node);
      if (result && !isExported)
        reading.returned.push([nameOf(node["id"]), result]);
      break;
    }
    case "VariableDeclaration":
      if (node["kind"] === "const" && !isExported)
        for (const declarator of listOf(node, "declarations"))
          addConstant(declarator, reading);
      break;
    default:
  }
  for (const child of nodesOf(node)) collect(child, node, reading);
}

function addConstant({ id, init }: Node, reading: Reading): void {
  const value = withoutTypes(init);
  const name = (id as Node).type === "Identifier" ? nameOf(id) : "";
  if (!value || name === "") return;
  reading.constants.push([name, value]);
  const result = resultOf(value);
  if (result) reading.returned.push([name, result]);
}

/** Returns the expression that a function returns, if that is all that it does. */
function resultOf(value: Node): Node | undefined {
  if (!value.type.includes("Function")) return undefined;
  const body = value["body"] as Node | null;
  if (body?.type !== "BlockStatement") return body ?? undefined;
  const [only, ...others] = listOf(body, "body");
  return only?.type === "ReturnStatement" && others.length === 0
    ? withoutTypes(only["argument"])
    : undefined;
}
