import type { Collector } from "./positions.js";
import { isNode, nodesOf, type Node, textOf } from "./ast.js";
import { scanCall } from "./calls.js";

/** Walks a program once and notes whatever names a file or a package. */
export function walkProgram(program: unknown, found: Collector): void {
  const taken = new Set<Node>();
  const required = new Set(["require"]);
  const visit = (node: Node): void => {
    scanNode(node, found, taken, required);
    for (const child of nodesOf(node)) visit(child);
  };
  if (isNode(program)) visit(program);
}

function scanNode(
  node: Node,
  found: Collector,
  taken: Set<Node>,
  required: Set<string>,
): void {
  switch (node.type) {
    case "ImportDeclaration": {
      take(node["source"], "import");
      return;
    }
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration": {
      take(node["source"], "export");
      return;
    }
    case "TSExternalModuleReference": {
      take(node["expression"], "import");
      return;
    }
    case "TSImportType": {
      take(node["source"], "type");
      return;
    }
    case "TSModuleDeclaration": {
      take(node["id"], "type");
      return;
    }
    case "ImportExpression": {
      take(node["source"], "dynamic-import");
      return;
    }
    case "VariableDeclarator": {
      rememberRequire(node, required);
      return;
    }
    case "CallExpression":
    case "NewExpression": {
      scanCall(node, found, taken, required);
      return;
    }
    case "Literal":
    case "TemplateLiteral":
    case "BinaryExpression": {
      pathString(node);
      return;
    }
    default:
  }

  function take(
    source: unknown,
    kind: "import" | "export" | "type" | "dynamic-import",
  ): void {
    if (!isNode(source)) return;
    const text = textOf(source);
    if (!text) return;
    taken.add(source);
    found.add(text.text, kind, source.start + 1, text.partial);
  }

  /** A string nobody knows the use of counts when it can only be a relative path. */
  function pathString(string: Node): void {
    if (taken.has(string)) {
      for (const part of nodesOf(string)) taken.add(part);
      return;
    }
    const text = textOf(string);
    if (!text || !/^\.\.?\/./.test(text.text)) return;
    taken.add(string);
    for (const part of nodesOf(string)) taken.add(part);
    found.add(text.text, "path-string", string.start + 1, text.partial);
  }
}

/** `const load = createRequire(import.meta.url)`: from here on `load` is a `require`. */
function rememberRequire(node: Node, required: Set<string>): void {
  const { id, init } = node as Node & { id?: unknown; init?: unknown };
  if (!isNode(id) || !isNode(init) || init.type !== "CallExpression") return;
  const callee = init["callee"];
  if (!isNode(callee)) return;
  const name = callee.type === "MemberExpression" ? callee["property"] : callee;
  if (isNode(name) && name["name"] === "createRequire")
    required.add(String(id["name"]));
}
