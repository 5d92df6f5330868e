import { type JsonNode, propertiesOf } from "./json.js";
import type { Collector } from "./positions.js";

/**
 * What a manifest depends on, by name. Some can mean this workspace only: `workspace:^`, and the paths of `file:../core`
 * and its kin. In a workspace's manifest all that is the graph's to know; they matter in the manifest of a fixture or
 * an example, which is installed by itself.
 * @param node `dependencies` and the like
 */
export function addDependencies(
  node: JsonNode | undefined,
  found: Collector,
): void {
  for (const { key, keyNode, value } of propertiesOf(node))
    found.add(
      key,
      String(value.value).startsWith("workspace:")
        ? "linked-dependency"
        : "dependency",
      keyNode.offset + 1,
    );
  addLinks(node, found);
}

/** What `resolutions` or `overrides` put in place of a package. npm's hold those of what a package brings along. */
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

/** Yarn binds a range to a package by what it puts behind `::`. */
const LINK = /^(?<start>(?:file|link|portal):)(?<path>(?![/~])[^:#]+)/;
