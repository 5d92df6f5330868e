import type { Style } from "./colour.js";
import { printable } from "./printable.js";
import { cutTo, displayWidth, padTo } from "./width.js";

/** One column of a table. */
export interface Column {
  /** The heading; a table whose columns all lack one has no heading line. */
  readonly title?: string;
  /** Numbers stand right. Left where not said. */
  readonly align?: "left" | "right";
  /** May be cut with `…` where the terminal is too narrow. A name never may. */
  readonly shrinks?: boolean;
  /** Put on the finished cell, so that it never changes a width. */
  readonly style?: Style;
}

export interface TableOptions {
  /** Columns of the terminal. Left out when the output is piped: then nothing is ever cut. */
  readonly width?: number | undefined;
  /** Style of the heading line. */
  readonly heading?: Style;
}

const gap = "  ";
/** A shrunk column keeps this much, or all it has. */
const leastWidth = 8;

/**
 * Returns a table as text, one line a row, a newline at the end of each; no trailing spaces. Cells are untrusted: each
 * is made
 * printable first, so a row is always one line.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { width, heading = (text) => text }: TableOptions = {},
): string {
  const cells = rows.map((row) =>
    columns.map((_, index) => printable(row[index] ?? "")),
  );
  const titles = columns.map(({ title }) => title ?? "");
  const titled = titles.some((title) => title !== "");
  const natural = columns.map((_, index) =>
    [titled ? titles : [], ...cells].reduce(
      (most, row) => Math.max(most, displayWidth(row[index] ?? "")),
      0,
    ),
  );
  const widths = width === undefined ? natural : fit(columns, natural, width);
  const line = (row: readonly string[], styled: boolean) =>
    columns
      .map(({ align, style }, index) => {
        const columnWidth = widths[index] ?? 0;
        const text = cutTo(row[index] ?? "", Math.max(1, columnWidth));
        const last = index === columns.length - 1 && align !== "right";
        const shown = styled && style ? style(text) : text;
        // Padding stands outside the style: an underline or background would show it.
        const padded = last ? text : padTo(text, columnWidth, align);
        return text === "" ? padded : padded.replace(text, () => shown);
      })
      .join(gap)
      .trimEnd();
  return [
    ...(titled ? [heading(line(titles, false))] : []),
    ...cells.map((row) => line(row, true)),
  ]
    .map((text) => `${text}\n`)
    .join("");
}

/** Takes what is too much from the columns that may shrink, always from the widest of them. */
function fit(
  columns: readonly Column[],
  natural: readonly number[],
  width: number,
): number[] {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, each) => sum + each, 0) +
    gap.length * (columns.length - 1) -
    width;
  while (excess > 0) {
    let widest = -1;
    columns.forEach(({ shrinks }, index) => {
      const each = widths[index] ?? 0;
      if (shrinks && each > leastWidth && each > (widths[widest] ?? 0))
        widest = index;
    });
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}
