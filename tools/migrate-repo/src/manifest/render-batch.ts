import {
  count,
  formatBytes,
  formatDuration,
  formatNumber,
  markdownTable,
  markdownText,
  printable,
  renderTable,
} from "@skein/reporting";
import type { HistoryFigures } from "../migration.js";
import type { BranchBehind } from "../sync/behind.js";
import { renderBatchPage } from "./render-batch-page.js";
import type { NoteTopic } from "../steps/step.js";

/** The result for one repository of a manifest. */
export interface BatchRow {
  readonly source: string;
  readonly name: string;
  readonly state:
    | "done"
    | "stale"
    | "pending"
    | "planned"
    | "migrated"
    | "blocked";
  /** Whether a requested script, or the transfer of pull requests, failed after the landing. */
  readonly failedSince?: boolean;
  /** For a stale repository: the source's new commits on all migrated branches. */
  readonly behind?: number;
  /** For a stale repository: further branches that a sync would update. */
  readonly branches?: readonly BranchBehind[];
  readonly figures?: HistoryFigures;
  readonly commits?: number;
  readonly tags?: number;
  /** In milliseconds. */
  readonly took?: number;
  /** The number of bytes that the landing added to the object database. */
  readonly size?: number;
  readonly notes?: readonly BatchNote[];
}

/** A note about a repository, for people. */
export interface BatchNote {
  readonly topic: Topic;
  readonly text: string;
}

export type Topic = NoteTopic | "blocked" | "follow-up";

/** The topics, in the order of the report. */
const TOPICS: Readonly<Record<Topic, string>> = {
  blocked: "Blocked",
  versions: "Version conflicts solved",
  phantoms: "Phantom dependencies declared",
  ci: "CI jobs lost",
  "follow-up": "Follow-ups",
};

const WHOLE = "The workspace with all of them";

const HEADINGS = [
  "Repository",
  "Package",
  "State",
  "Commits",
  "Authors",
  "Tags",
  "Time",
  "Size added",
  ...Object.values(TOPICS).slice(1),
];

/**
 * Renders one report of a batch: for a terminal, for a pull request or a wiki (Markdown), or for a browser
 * (self-contained HTML).
 * @param whole the lines about the workspace with all repositories
 * @param made the line for the page about its origin
 */
export function renderBatch(
  rows: readonly BatchRow[],
  format: "text" | "markdown" | "html",
  whole: readonly string[] = [],
  made?: string,
): string {
  const title = `Migration of ${count(rows.length, "repository", "repositories")}`;
  const table = tableOf([...rows.map(cellsOf), ...totals(rows)]);
  const sections = rows.filter(({ notes = [] }) => notes.length > 0);
  if (format === "html")
    return renderBatchPage({
      ...{ title, made, rows, ...table, topicsOf },
      whole: { title: WHOLE, texts: whole },
    });
  if (format === "text") return text(title, table, sections, whole);
  return [
    `# ${title}`,
    "",
    markdownTable(
      table.headings,
      table.cells.map((row) => row.map(markdownText)),
    ),
    ...sections.flatMap((row) => [
      `## ${markdownText(row.source)}`,
      "",
      ...topicsOf(row).flatMap(([topic, texts]) => [
        `${topic}:`,
        "",
        ...texts.map((text) => `- ${markdownText(text)}`),
        "",
      ]),
    ]),
    ...(whole.length > 0
      ? [
          `## ${WHOLE}`,
          "",
          ...whole.map((text) => `- ${markdownText(text)}`),
          "",
        ]
      : []),
  ].join("\n");
}

interface Table {
  readonly headings: readonly string[];
  readonly cells: readonly (readonly string[])[];
}

/** Returns a table without empty columns: a plan has no times, for example. */
function tableOf(cells: readonly (readonly string[])[]): Table {
  const isKept = (_: string, column: number) =>
    column < 3 || cells.some((row) => row[column] !== "");
  return {
    headings: HEADINGS.filter(isKept),
    cells: cells.map((row) => row.filter(isKept)),
  };
}

function text(
  title: string,
  { headings, cells }: Table,
  sections: readonly BatchRow[],
  whole: readonly string[],
): string {
  return [
    title,
    "",
    renderTable(
      headings.map((heading, index) => ({
        title: heading,
        align: index < 3 ? "left" : "right",
      })),
      cells,
    ).trimEnd(),
    ...sections.flatMap((row) => [
      "",
      printable(row.source),
      ...topicsOf(row).flatMap(([topic, texts]) => [
        `  ${topic}:`,
        ...texts.map((one) => `    ${printable(one)}`),
      ]),
    ]),
    ...(whole.length > 0
      ? ["", WHOLE, ...whole.map((one) => `  ${printable(one)}`)]
      : []),
    "",
  ].join("\n");
}

/** Returns the result for a repository in words. */
export function stateOf({ state, behind }: BatchRow): string {
  // If `behind` is 0, only a tag or a branch is new, and the notes mention it.
  return behind === undefined || behind === 0
    ? state
    : `${state} by ${count(behind, "commit")}`;
}

function cellsOf(row: BatchRow): string[] {
  const { notes = [] } = row;
  const landed = row.state === "migrated";
  return [
    row.source,
    row.name,
    stateOf(row),
    numberOf(row.figures?.commits ?? row.commits),
    numberOf(row.figures?.authors),
    numberOf(row.tags),
    row.took === undefined ? "" : formatDuration(row.took),
    row.size === undefined ? "" : formatBytes(row.size),
    ...Object.keys(TOPICS)
      .slice(1)
      .map((topic) =>
        landed
          ? numberOf(notes.filter((note) => note.topic === topic).length)
          : "",
      ),
  ];
}

function numberOf(value: number | undefined): string {
  return value === undefined ? "" : formatNumber(value);
}

/** Returns a last row with totals, if at least two repositories were migrated. */
function totals(rows: readonly BatchRow[]): string[][] {
  const landed = rows.filter(({ state }) => state === "migrated");
  if (landed.length < 2) return [];
  const sum = (of: (row: BatchRow) => number | undefined) =>
    landed.reduce((total, row) => total + (of(row) ?? 0), 0);
  return [
    [
      `${landed.length} migrated`,
      "",
      "",
      numberOf(sum(({ figures }) => figures?.commits)),
      "",
      numberOf(sum(({ tags }) => tags)),
      "",
      formatBytes(sum(({ size }) => size)),
      ...Object.keys(TOPICS)
        .slice(1)
        .map((topic) =>
          numberOf(
            sum(
              ({ notes }) =>
                notes?.filter((note) => note.topic === topic).length,
            ),
          ),
        ),
    ],
  ];
}

function topicsOf({
  notes = [],
}: BatchRow): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(TOPICS)
    .map(
      ([topic, words]) =>
        [
          words,
          notes.filter((note) => note.topic === topic).map(({ text }) => text),
        ] as const,
    )
    .filter(([, texts]) => texts.length > 0);
}
