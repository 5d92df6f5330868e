import { escapeHtml } from "@skein/reporting/markup";
import { createHash } from "node:crypto";
import type { GraphView } from "./graph-view.js";
import type { PageData } from "./page/page-data.js";

/** The parts of the page, as text; page-assets.ts reads them. */
export interface PageAssets {
  /** Holds the comments `title`, `policy`, `style`, `data` and `script`, where those elements go. */
  readonly template: string;
  readonly style: string;
  readonly script: string;
}

/**
 * The graph as one HTML page that needs nothing else: no network, no fonts, no files. What is untrusted enters as JSON in a
 * data block that nothing in it can close, and the policy lets only this page's own script and style run.
 */
export function renderHtml(view: GraphView, assets: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(assets.script)}`,
    `style-src ${hashOf(assets.style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts: Readonly<Record<string, string>> = {
    title: `<title>${escapeHtml(view.title)}</title>`,
    policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    style: `<style>${assets.style}</style>`,
    data: `<script type="application/json" id="graph">${embeddable(pageData(view))}</script>`,
    script: `<script type="module">${assets.script}</script>`,
  };
  // One pass, and a function: neither a placeholder nor `$&` in a package's name means anything.
  return assets.template.replace(
    /<!-- (\w+) -->/g,
    (whole, name: string) => parts[name] ?? whole,
  );
}

/** JSON that can stand in a script element: `<` cannot close it, and the line separators are no line ends. */
export function embeddable(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function pageData(view: GraphView): PageData {
  const { title, nouns, base, head, nodes, edges } = view;
  const index = new Map(nodes.map(({ name }, at) => [name, at]));
  const kinds = [...new Set(edges.map(({ kind }) => kind))];
  return {
    title,
    ...(nouns === undefined ? {} : { nouns }),
    ...(base === undefined ? {} : { base }),
    ...(head === undefined ? {} : { head }),
    nodes,
    kinds,
    edges: edges.flatMap(({ from, to, kind, testOnly }) => {
      const [start, end] = [index.get(from), index.get(to)];
      return start === undefined || end === undefined
        ? []
        : [
            testOnly
              ? ([start, end, kinds.indexOf(kind), 1] as const)
              : ([start, end, kinds.indexOf(kind)] as const),
          ];
    }),
  };
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
