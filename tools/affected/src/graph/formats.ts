import type { GraphFormat } from "../command.js";
import { renderDot } from "./dot.js";
import type { GraphView } from "./graph-view.js";
import { renderHtml } from "./html.js";
import { renderJson } from "./json.js";
import { renderMermaid } from "./mermaid.js";
import { readPageAssets } from "./page-assets.js";

/** All formats of `affected graph`. A new format needs a file with its renderer, and a line here. */
const renderers = {
  mermaid: renderMermaid,
  dot: renderDot,
  json: renderJson,
  html: async (view: GraphView) => renderHtml(view, await readPageAssets()),
} satisfies Record<GraphFormat, (view: GraphView) => string | Promise<string>>;

/** Renders the graph as text in a format. The text ends with a newline. */
export async function renderGraph(
  format: GraphFormat,
  view: GraphView,
): Promise<string> {
  return renderers[format](view);
}
