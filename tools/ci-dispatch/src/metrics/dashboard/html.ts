import { escapeHtml } from "@skein/reporting/markup";

/** A piece of HTML or SVG. Whatever else stands in a template is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand between the pieces of a template: a list stands one after the other, null and undefined are nothing. */
export type Content =
  Html | string | number | null | undefined | readonly Content[];

/**
 * A template of HTML or SVG. Values are escaped, so that they are safe in text and in attributes between double quotes.
 *
 *     html`<td title="${name}">${name}</td>`
 */
export function html(
  pieces: TemplateStringsArray,
  ...values: readonly Content[]
): Html {
  return new Html(
    pieces
      .map(
        (piece, index) => (index === 0 ? "" : show(values[index - 1])) + piece,
      )
      .join(""),
  );
}

function show(content: Content): string {
  if (content === undefined || content === null) return "";
  if (content instanceof Html) return content.text;
  if (typeof content === "string") return escape(content);
  if (typeof content === "number") return String(content);
  return content.map(show).join("");
}

// Control characters are no HTML, and marks that turn the direction of writing would show a name as another one.
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escape(text: string): string {
  return escapeHtml(text.replaceAll(INVISIBLE, "\ufffd"));
}
