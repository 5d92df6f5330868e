import type { Style } from "./colour.js";
import { printable } from "./printable.js";
import { cutTo, displayWidth, padTo } from "./width.js";
import { wrappedLines } from "./wrap-words.js";

/** A column of a table. */
export interface Column {
  /** The heading. A table without any has no heading line. */
  readonly title?: string;
  /** The alignment; numbers are aligned right. Default: left. */
  readonly align?: "left" | "right";
  /** Whether cells may be cut with `…` if the terminal is too narrow. Names must never be cut. */
  readonly shrinks?: boolean;
  /** The style that is applied to the finished cell, so that it doesn't change the width. */
  readonly style?: Style;
}

export interface TableOptions {
  /** The width of the terminal. Undefined if the output is piped: then no cell is cut or continued on another line. */
  readonly width?: number | undefined;
  /** The style of the heading line. */
  readonly heading?: Style;
}

const gap = "  ";
/** The minimum width of a column that was shrunk. */
const leastWidth = 8;
/** The minimum width in which the last column continues on further lines. In a narrower one, the terminal breaks the line. */
const LEAST_TO_WRAP = 24;

/**
 * Renders a table as text, one line per row, each with a newline and without trailing spaces. Cells are untrusted: each
 * is made printable first. In a terminal, a long text in the last column continues below it.
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
  const indent = widths
    .slice(0, -1)
    .reduce((sum, each) => sum + each + gap.length, 0);
  const rest = width === undefined ? Infinity : width - indent;
  const line = (row: readonly string[], styled: boolean) =>
    columns
      .map(({ align, style }, index) => {
        const columnWidth = widths[index] ?? 0;
        const text = cutTo(row[index] ?? "", Math.max(1, columnWidth));
        const show = (part: string) => (styled && style ? style(part) : part);
        if (index === columns.length - 1 && align !== "right")
          return (
            rest < LEAST_TO_WRAP || displayWidth(text) <= rest
              ? [text]
              : wrappedLines(text, rest)
          )
            .map((part) => (part === "" ? part : show(part)))
            .join(`\n${" ".repeat(indent)}`);
        // Padding is outside the style, because an underline or background would show it.
        const padded = padTo(text, columnWidth, align);
        return text === "" ? padded : padded.replace(text, () => show(text));
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

/** Shrinks columns that may shrink, always the widest of them, until the table fits. */
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
