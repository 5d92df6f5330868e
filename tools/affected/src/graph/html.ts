import { escapeHtml, policyHash } from "@skein/reporting/markup";
import type { GraphView } from "./graph-view.js";
import type { PageData } from "./page/page-data.js";

/** The parts of the page, as text. page-assets.ts reads them. */
export interface PageAssets {
  /** Contains the comments `title`, `policy`, `style`, `data` and `script` as placeholders for those elements. */
  readonly template: string;
  readonly style: string;
  readonly script: string;
}

/**
 * Renders the graph as one self-contained HTML page: no network, no fonts, no files. Untrusted text is JSON in a data
 * block, which it can't close. The policy allows only this page's own script and style.
 */
export function renderHtml(view: GraphView, assets: PageAssets): string {
  const policy = [
    "default-src 'none'",
    `script-src ${policyHash(assets.script)}`,
    `style-src ${policyHash(assets.style)}`,
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
  // One pass with a function as the replacement: neither a placeholder nor `$&` in a package's name has a meaning.
  return assets.template.replace(
    /<!-- (\w+) -->/g,
    (whole, name: string) => parts[name] ?? whole,
  );
}

/** Returns JSON that is safe in a script element: `<` can't close the element, and line separators don't end lines. */
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
