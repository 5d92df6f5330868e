import { escapeHtml } from "@skein/reporting/markup";

/** A piece of HTML or SVG. Templates escape all other values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template. The items of a list are joined; null and undefined are empty. */
export type Content =
  | Html
  | string
  | number
  | null
  | undefined
  | readonly Content[];

/**
 * Creates HTML or SVG from a template. It escapes values, so they are safe in text and in double-quoted attributes.
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

// HTML doesn't allow control characters. Bidirectional marks could make a name look like another one.
const INVISIBLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

function escape(text: string): string {
  return escapeHtml(text.replaceAll(INVISIBLE, "\ufffd"));
}
