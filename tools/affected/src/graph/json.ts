import type { GraphView } from "./graph-view.js";

/** Renders the graph as JSON, version 1: see schemas/graph.schema.json. A version never loses a field. */
export function renderJson({
  title,
  base,
  head,
  nodes,
  edges,
}: GraphView): string {
  const document = {
    version: 1,
    title,
    ...(base === undefined ? {} : { base }),
    ...(head === undefined ? {} : { head }),
    packages: nodes.map(
      ({ name, dir, affected, changed, reasons, tags, owners }) => ({
        name,
        dir,
        affected,
        ...(changed && { changed }),
        reasons,
        tags,
        owners,
      }),
    ),
    edges: edges.map(({ from, to, kind, testOnly }) => ({
      from,
      to,
      kind,
      ...(testOnly && { testOnly }),
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
