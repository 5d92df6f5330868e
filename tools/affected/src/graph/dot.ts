import { printable } from "@skein/reporting";
import type { EdgeKind } from "@skein/workspaces";
import type { GraphView } from "./graph-view.js";

const styles: Readonly<Record<EdgeKind, string>> = {
  dependencies: "",
  peerDependencies: ' [label="peer"]',
  optionalDependencies: ' [label="optional" style=dashed]',
  devDependencies: ' [label="dev" style=dashed]',
  implicit: ' [label="implicit" style=dotted]',
  source: ' [label="source" style=dotted]',
  optionalPeer: ' [label="optional peer" style=dotted]',
};

/**
 * Renders the graph in Graphviz's language. An arrow leads from a package to its dependency. An affected package has a
 * double border, so that colour isn't the only mark.
 */
export function renderDot({ title, nodes, edges }: GraphView): string {
  const names = new Set(nodes.map(({ name }) => name));
  return [
    `digraph ${quote(title)} {`,
    "  rankdir=LR;",
    '  node [shape=box fontname="sans-serif"];',
    ...nodes.map(
      ({ name, affected }) =>
        `  ${quote(name)}${affected ? ' [peripheries=2 style=filled fillcolor="#ffd8a8"]' : ""};`,
    ),
    ...edges
      .filter(({ from, to }) => names.has(from) && names.has(to))
      .map(
        ({ from, to, kind, testOnly }) =>
          `  ${quote(from)} -> ${quote(to)}${testOnly ? ' [label="tests, docs" style=dotted]' : styles[kind]};`,
      ),
    "}",
    "",
  ].join("\n");
}

/** Returns a quoted id. Backslashes are doubled too, because Graphviz replaces `\N` in a label with the node's name. */
function quote(text: string): string {
  return `"${printable(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
