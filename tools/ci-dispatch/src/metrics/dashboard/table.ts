import { html, Html, type Content } from "./html.js";

/** A column of a table: its title, and the classes of its cells. */
export type Head = readonly [title: Content, classes?: string];

export interface TableOptions {
  readonly caption?: Content;
  readonly classes?: string;
}

/**
 * Renders a table.
 * @param rows each is a list of cells, the first of which is the row's title, or HTML if its cells span columns
 */
export function table(
  heads: readonly Head[],
  rows: readonly (Html | readonly Content[])[],
  { caption, classes }: TableOptions = {},
): Html {
  return html`<table${classAttribute(classes)}>
    ${
      caption === undefined
        ? undefined
        : html`<caption>
            ${caption}
          </caption>`
    }
    <thead>
      <tr>${heads.map(([title, of]) => html`<th scope="col" ${classAttribute(of)}>${title}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map((row) => (row instanceof Html ? row : rowOf(heads, row)))}
    </tbody>
  </table>`;
}

function rowOf(heads: readonly Head[], [title, ...cells]: readonly Content[]) {
  return html`<tr>
    <th scope="row">${title}</th>
    ${cells.map((cell, index) => html`<td${classAttribute(heads[index + 1]?.[1])}>${cell}</td>`)}
  </tr> `;
}

function classAttribute(classes: string | undefined): Html | undefined {
  return classes === undefined ? undefined : html` class="${classes}"`;
}
