import { some } from "@skein/reporting";
import { policyHash } from "@skein/reporting/markup";
import type { Dashboard } from "./dashboard.js";
import { html, Html } from "./html.js";
import { openLinks } from "./links.js";
import { baseline } from "./sections/baseline.js";
import { coverage } from "./sections/coverage.js";
import { falseHits } from "./sections/false-hits.js";
import { flakes } from "./sections/flakes.js";
import { groups } from "./sections/groups.js";
import { headline, tiles } from "./sections/headline.js";
import { runs } from "./sections/runs.js";
import { slowest } from "./sections/slowest.js";
import { stages } from "./sections/stages.js";
import { trend } from "./sections/trend.js";
import { style } from "./style.js";
import { showBound } from "../render/words.js";
import { timeOf, UNTIL } from "./words.js";

/**
 * Renders the report as one self-contained HTML page: no network, script, font or other file. The content security
 * policy allows only the page's own style, by its hash.
 */
export function renderDashboard(dashboard: Dashboard): string {
  const { report, server } = dashboard;
  const { repositories, only, measures, window } = report;
  const links = openLinks(server, repositories.length > 1);
  const subject = subjectOf(repositories);
  const narrowed = [only.package, only.team].filter((name) => name !== null);
  const name = [subject, ...narrowed].join(", ");
  const p90 = measures.headline.values?.p90;
  const sections = [
    trend(dashboard),
    baseline(report),
    stages(dashboard, links),
    slowest(dashboard, links),
    runs(dashboard, links),
    groups(report),
    flakes(report),
    falseHits(report),
    coverage(report, links),
  ].filter((section) => section !== undefined);
  const policy = `default-src 'none'; style-src ${policyHash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>
          ${p90 === undefined ? "" : `${showBound(p90)} · `}${UNTIL[report.until]}
          · ${name}
        </title>
        <link rel="icon" href="data:," />
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <header>
          <h1>${name}</h1>
          <p>How long a change takes, as of ${timeOf(window.to)}</p>
        </header>
        <main>
          ${headline(dashboard, links)} ${tiles(report)} ${contents(sections)}
          ${sections}
        </main>
        <footer>
          <p>
            Made by <code>ci-dispatch metrics dashboard</code>. Each percentile
            is the value of one pull request: by nearest rank, or by the
            product-limit estimate if some pull requests haven’t ended.
            Intervals are bootstrapped. Days are in UTC.
          </p>
        </footer>
      </body>
    </html> `.text;
}

/** Returns the table of contents: a link to each section by its heading. */
function contents(sections: readonly Html[]): Html {
  const headings = sections.flatMap(({ text }) => [
    ...text.matchAll(/<h2 id="([\w-]+)">([^<]+)<\/h2>/g),
  ]);
  return html`<nav aria-label="Contents">
    <ul>
      ${headings.map(([, id = "", title = ""]) => html`<li><a href="#${id}">${new Html(title)}</a></li>`)}
    </ul>
  </nav>`;
}

/** The maximum number of repositories that the title names. */
const MOST_NAMES = 4;

function subjectOf(repositories: readonly string[]): string {
  return some(repositories, MOST_NAMES) || "no repository";
}
