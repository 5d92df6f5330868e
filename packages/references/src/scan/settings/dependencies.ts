import { type JsonNode, propertiesOf } from "../json.js";
import type { Collector } from "../positions.js";

/**
 * Notes the dependencies of a manifest, by name. Some can only mean this workspace: `workspace:^`, and the paths of
 * `file:../core` and the like. For a workspace's manifest, the graph already has them; they matter in the manifest of a
 * fixture or an example, which is installed separately.
 * @param node `dependencies` or a similar field
 * @param without names that aren't dependencies
 */
export function addDependencies(
  node: JsonNode | undefined,
  found: Collector,
  without?: ReadonlySet<string>,
): void {
  for (const { key, keyNode, value } of propertiesOf(node))
    if (without?.has(key) !== true)
      found.add(
        key,
        String(value.value).startsWith("workspace:")
          ? "linked-dependency"
          : "dependency",
        keyNode.offset + 1,
      );
  addLinks(node, found);
}

/**
 * Notes the replacements of packages in `resolutions` or `overrides`. npm's can contain replacements for a package's own
 * dependencies.
 */
export function addLinks(node: JsonNode | undefined, found: Collector): void {
  for (const { value } of propertiesOf(node)) {
    if (value.type === "object") addLinks(value, found);
    const { start = "", path = "" } =
      LINK.exec(String(value.value))?.groups ?? {};
    if (path !== "")
      found.add(
        path.startsWith(".") ? path : `./${path}`,
        "linked-dependency",
        value.offset + 1 + start.length,
      );
  }
}

/** Yarn binds a range to a package with the text after `::`. */
const LINK = /^(?<start>(?:file|link|portal):)(?<path>(?![/~])[^:#]+)/;
