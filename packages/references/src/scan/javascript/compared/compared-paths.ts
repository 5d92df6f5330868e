import {
  dotted,
  isNode,
  listOf,
  literalText,
  nameOf,
  nodesOf,
  unwrap,
  type Node,
} from "../ast.js";
import type { Collector } from "../../positions.js";

/** Functions that return a path and read nothing. */
const PATHS = /^(?:join|resolve|normalize|dirname|fileURLToPath|realpathSync)$/;
/** The parts of an expression that only makes a path. */
const PARTS =
  /^(?:CallExpression|Identifier|Literal|TemplateLiteral|TemplateElement|MemberExpression|MetaProperty|ChainExpression|ParenthesizedExpression)$/;

/**
 * Finds a path that a program only compares with the current directory: `process.cwd() === join(root, "packages/a")`. If they
 * are equal, the program runs in that folder, so it uses no other package.
 * @returns the nodes of the path; none if the expression is anything else
 */
export function comparedWithCwd(
  comparison: Node,
  found: Collector,
): readonly Node[] {
  if (!/^[!=]==?$/.test(String(comparison["operator"]))) return [];
  const sides = [unwrap(comparison["left"]), unwrap(comparison["right"])];
  const path = sides.find((side) => !isCwd(side));
  if (!path || !sides.some(isCwd) || path.type !== "CallExpression") return [];
  // The program may go through the folders of packages.
  if (/\bchdir\b/.test(found.text)) return [];
  const nodes = partsOf(path);
  const isPath = nodes.every(
    (node) =>
      PARTS.test(node.type) &&
      (node.type !== "CallExpression" || PATHS.test(nameOf(node["callee"]))),
  );
  if (!isPath) return [];
  for (const node of nodes)
    if (literalText(node) !== undefined) found.skip(node.start + 1);
  return nodes;
}

/** Returns whether an expression is the current directory. */
function isCwd(value: unknown): boolean {
  const node = unwrap(value);
  if (node?.type !== "CallExpression") return false;
  if (dotted(node["callee"]) === "process.cwd") return true;
  const [only, ...others] = listOf(node, "arguments");
  return (
    /^(?:resolve|normalize|realpathSync)$/.test(nameOf(node["callee"])) &&
    others.length === 0 &&
    isCwd(only)
  );
}

function partsOf(node: Node): readonly Node[] {
  return [node, ...nodesOf(node).filter(isNode).flatMap(partsOf)];
}
