import { printable } from "@skein/reporting";
import type { EdgeKind } from "@skein/workspaces";
import type { GraphView } from "./graph-view.js";

const arrows: Readonly<Record<EdgeKind, string>> = {
  dependencies: "-->",
  peerDependencies: "-->|peer|",
  optionalDependencies: "-.->|optional|",
  devDependencies: "-.->|dev|",
  implicit: "-.->|implicit|",
  source: "-.->|source|",
  optionalPeer: "-.->|optional peer|",
};

/** Mermaid's own limit (`maxEdges`), which a diagram can't raise for itself. */
const mostEdges = 500;

/**
 * Renders the graph as a Mermaid flowchart. An arrow leads from a package to its dependency. An affected package is
 * round and has a dot before its name, so that colour isn't the only mark.
 */
export function renderMermaid({ title, nodes, edges }: GraphView): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const affected = nodes.filter((node) => node.affected);
  return [
    "---",
    // Mermaid reads a title as HTML, and supports no escapes there.
    `title: ${JSON.stringify(printable(title).replaceAll("<", "‹").replaceAll(">", "›"))}`,
    "---",
    ...(edges.length > mostEdges
      ? [
          `%% ${edges.length} edges: Mermaid draws ${mostEdges} unless its setting maxEdges is raised; --format html shows them all`,
        ]
      : []),
    "flowchart LR",
    ...nodes.map(({ name, affected }) => {
      const label = escape(name);
      return `  ${ids.get(name) ?? ""}${affected ? `(["● ${label}"])` : `["${label}"]`}`;
    }),
    ...edges.flatMap(({ from, to, kind, testOnly }) => {
      const [start, end] = [ids.get(from), ids.get(to)];
      const arrow = testOnly ? '-.->|"tests, docs"|' : arrows[kind];
      return start && end ? [`  ${start} ${arrow} ${end}`] : [];
    }),
    "  classDef affected fill:#ffd8a8,stroke:#d9480f,stroke-width:3px,color:#000",
    ...(affected.length > 0
      ? [
          `  class ${affected.map(({ name }) => ids.get(name) ?? "").join(",")} affected`,
        ]
      : []),
    "",
  ].join("\n");
}

/** Replaces characters that could end a label, or that Mermaid could read as markup, with its entity codes (`#35;`). */
function escape(name: string): string {
  return printable(name).replace(
    /[^\p{L}\p{N} @/._-]/gu,
    (char) => `#${char.codePointAt(0) ?? 0};`,
  );
}
