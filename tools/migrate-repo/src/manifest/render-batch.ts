import {
  count,
  formatDuration,
  markdownTable,
  markdownText,
} from "@skein/reporting";
import type { HistoryFigures } from "../migration.js";

/** What became of one repository of a manifest. */
export interface BatchRow {
  readonly source: string;
  readonly name: string;
  readonly state:
    "done" | "stale" | "pending" | "planned" | "migrated" | "blocked";
  readonly figures?: HistoryFigures;
  readonly commits?: number;
  readonly tags?: number;
  /** Milliseconds. */
  readonly took?: number;
  /** Follow-ups; or why it is blocked. */
  readonly why?: readonly string[];
}

const HEADINGS = [
  "Repository",
  "Package",
  "State",
  "Commits",
  "Authors",
  "Tags",
  "Time",
];

/** One report of a batch, for a pull request or a wiki (Markdown), or for a browser (HTML). */
export function renderBatch(
  rows: readonly BatchRow[],
  format: "markdown" | "html",
): string {
  const cells = rows.map((row) => [
    row.source,
    row.name,
    row.state,
    String(row.figures?.commits ?? row.commits ?? ""),
    String(row.figures?.authors ?? ""),
    String(row.tags ?? ""),
    row.took === undefined ? "" : formatDuration(row.took),
  ]);
  const notes = rows.flatMap((row) =>
    (row.why ?? []).map((why) => `${row.source}: ${why}`),
  );
  const title = `Migration of ${count(rows.length, "repository", "repositories")}`;
  if (format === "html")
    return `<!doctype html>\n<meta charset="utf-8">\n<title>${title}</title>\n<h1>${title}</h1>\n<table>\n<tr>${HEADINGS.map((text) => `<th>${text}</th>`).join("")}</tr>\n${cells.map((row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join("")}</tr>\n`).join("")}</table>\n<ul>\n${notes.map((note) => `<li>${escapeHtml(note)}</li>\n`).join("")}</ul>\n`;
  return [
    `# ${title}`,
    "",
    markdownTable(
      HEADINGS,
      cells.map((row) => row.map(markdownText)),
    ),
    ...(notes.length === 0
      ? []
      : notes.map((note) => `- ${markdownText(note)}`)),
    "",
  ].join("\n");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
