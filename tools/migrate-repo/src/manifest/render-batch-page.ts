import { count } from "@skein/reporting";
import { escapeHtml, PAGE_STYLE, policyHash } from "@skein/reporting/markup";
import { reasonsOf } from "./blocked-reasons.js";
import type { BatchRow } from "./render-batch.js";

/** The content of the page: the rows with their notes, and a table of texts. */
export interface BatchPage {
  readonly title: string;
  /** When it was made, by which version, and for which commit; undefined if that is unknown. */
  readonly made: string | undefined;
  readonly rows: readonly BatchRow[];
  readonly headings: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** Returns the topics of a row, each with its texts. */
  readonly topicsOf: (
    row: BatchRow,
  ) => readonly (readonly [string, readonly string[]])[];
  readonly whole: {
    readonly title: string;
    readonly texts: readonly string[];
  };
}

/** The appearance of each state: a sign for people who don't see the colour, and a CSS class. */
const STATES: Readonly<
  Record<BatchRow["state"], { readonly sign: string; readonly look: string }>
> = {
  blocked: { sign: "✗", look: "bad" },
  stale: { sign: "↻", look: "open" },
  pending: { sign: "…", look: "open" },
  planned: { sign: "○", look: "open" },
  migrated: { sign: "✓", look: "good" },
  done: { sign: "✓", look: "good" },
};

/** The column of the state. */
const STATE = 2;

const STYLE = `${PAGE_STYLE}
body { max-width: 1320px; }
h3 { margin: 12px 0 0; font-size: 15px; }
p { margin: 6px 0 12px; }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 6px 8px; border-bottom: 1px solid var(--edge); text-align: right; font-weight: 400; overflow-wrap: normal; }
thead th { color: var(--quiet); font-size: 13px; vertical-align: bottom; }
td { white-space: nowrap; }
th:nth-child(-n+3), td:nth-child(-n+3) { text-align: left; white-space: normal; }
th:nth-child(-n+2) { width: 17%; }
td:nth-child(-n+2) { overflow-wrap: anywhere; }
tr:last-child td { border: 0; }
.state { display: inline-block; padding: 0 10px; border: 1px solid; border-radius: 99px; font-size: 13px; font-weight: 600; white-space: nowrap; }
.open { color: var(--accent); }
summary h2 { display: inline; font-size: 15px; }
ul { margin: 4px 0 0; padding-left: 20px; }
@media (max-width: 1000px) {
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tr { padding: 8px 0; border-bottom: 1px solid var(--edge); }
  tr:last-child { border: 0; }
  td, td:nth-child(-n+3) { padding: 2px 0; white-space: normal; border: 0; text-align: left; overflow-wrap: anywhere; }
  td::before { content: attr(data-label) ": "; color: var(--quiet); }
  td:first-child { font-weight: 600; }
  td:first-child::before { content: none; }
  td:empty { display: none; }
}
`;

const POLICY = `default-src 'none'; style-src ${policyHash(STYLE)}; base-uri 'none'; form-action 'none'`;

/** Returns a report as one self-contained page: a line of sums, the table, and a section for each repository. */
export function renderBatchPage(page: BatchPage): string {
  const { title, made, rows, headings, cells, whole } = page;
  const states = Object.keys(STATES) as BatchRow["state"][];
  const sums = states.flatMap((state) => {
    const amount = rows.filter((row) => row.state === state).length;
    return amount === 0 ? [] : [badge(state, `${amount} ${state}`)];
  });
  const head = headings.map(
    (text) => `<th scope="col">${escapeHtml(text)}</th>`,
  );
  const body = cells.map(
    (texts, at) => `<tr>${tableCells(headings, texts, rows[at])}</tr>`,
  );
  const parts = rows
    .filter(({ notes = [] }) => notes.length > 0)
    .map((row) => part(page, row));
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
<main>
<h1>${escapeHtml(title)}</h1>
<p class="quiet">${sums.join(" ") || count(rows.length, "repository", "repositories")}</p>
${made === undefined ? "" : `<p class="quiet">${escapeHtml(made)}</p>\n`}<section>
<table>
<thead><tr>${head.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</section>
${parts.join("\n")}
${whole.texts.length > 0 ? `<section>\n<h2>${escapeHtml(whole.title)}</h2>\n${list(whole.texts)}\n</section>\n` : ""}</main>
</html>
`;
}

/** Returns the section about one repository, with all its notes. */
function part({ topicsOf }: BatchPage, row: BatchRow): string {
  const topics = topicsOf(row).map(
    ([topic, texts]) => `<h3>${escapeHtml(topic)}</h3>\n${list(texts)}`,
  );
  return `<section>
<details open>
<summary><h2>${escapeHtml(row.source)}</h2> ${badge(row.state, row.state)}</summary>
${topics.join("\n")}
</details>
</section>`;
}

/**
 * Returns the cells of a row. The reason for a blocked repository is beside its state: it uses the columns of a migration
 * that didn't happen.
 */
function tableCells(
  headings: readonly string[],
  texts: readonly string[],
  row: BatchRow | undefined,
): string {
  const cell = (column: number, content: string, more = "") =>
    `<td data-label="${escapeHtml(headings[column] ?? "")}"${more}>${content}</td>`;
  const [why] = row === undefined ? [] : reasonsOf(row);
  const state = badge(row?.state, texts[STATE] ?? "");
  const first = texts
    .slice(0, STATE)
    .map((text, column) => cell(column, escapeHtml(text)));
  if (why !== undefined) {
    const rest = ` colspan="${headings.length - STATE}"`;
    return [...first, cell(STATE, `${state} ${escapeHtml(why)}`, rest)].join(
      "",
    );
  }
  const others = texts
    .slice(STATE + 1)
    .map((text, at) => cell(STATE + 1 + at, escapeHtml(text)));
  return [...first, cell(STATE, state), ...others].join("");
}

function badge(state: BatchRow["state"] | undefined, text: string): string {
  if (state === undefined) return escapeHtml(text);
  const { sign, look } = STATES[state];
  return `<span class="state ${look}">${sign} ${escapeHtml(text)}</span>`;
}

function list(texts: readonly string[]): string {
  return `<ul>\n${texts.map((text) => `<li>${escapeHtml(text)}</li>\n`).join("")}</ul>`;
}
