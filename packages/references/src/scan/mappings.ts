import { literalText, isNode, listOf, type Node } from "./ast.js";
import { pathIn } from "./path-strings.js";
import type { Places } from "./places.js";
import type { Collector } from "./positions.js";

/**
 * Notes what a bundler's `alias` or Jest's `moduleNameMapper` makes of a name, where that leaves the folder of the settings:
 * an alias like a tsconfig's. Any property of this form counts, since nobody knows whose settings an object becomes.
 */
export function addMapping(
  property: Node,
  found: Collector,
  places: Places,
): void {
  const key = property["key"];
  if (!isNode(key)) return;
  const name =
    key.type === "Identifier" ? String(key["name"]) : literalText(key);
  if (name === undefined) return;
  const value = property["value"];
  for (const target of isNode(value) && value.type === "ArrayExpression"
    ? listOf(value, "elements")
    : [value]) {
    const path = places.of(target)?.text ?? pathIn(literalText(target) ?? "");
    if (path === undefined) continue;
    for (const alias of aliasesOf(name, path))
      found.add(alias, "tsconfig-paths", key.start + 1);
  }
}

/**
 * The aliases of one mapping, as a tsconfig's are noted (`pattern=target`).
 * @param name a name, or a regular expression with one group as Jest takes it
 * @param path from the folder of the settings, `$1` for the group
 */
export function aliasesOf(name: string, path: string): readonly string[] {
  if (!/^(\.\/)?\.\.\//.test(path) && !/^(\.\/)?\.\.$/.test(path)) return [];
  if (!path.includes("$1"))
    return /^[\w@~#][^^$()*]*$/.test(name)
      ? [`${name}=${path}`, `${name}/*=${path}/*`]
      : [];
  const pattern = name
    .replace(/^\^/, "")
    .replace(/\$$/, "")
    .replace(/\((\.|\[\^\/\])[*+]\??\)/, "*")
    .replaceAll(/\\(.)/g, "$1");
  return /^[^*^$()|[\]+?]*\*[^*^$()|[\]+?]*$/.test(pattern)
    ? [`${pattern}=${path.replace("$1", "*")}`]
    : [];
}
