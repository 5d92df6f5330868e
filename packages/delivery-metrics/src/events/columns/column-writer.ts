import type { Instant } from "../event.js";

/** A column as it travels: a value for each time it was written to; one value alone where they are all the same. */
export type Column = number | null | readonly (number | null)[];

/** A list of words, in order of their first use. Those of one length, as commit ids are, travel without anything between them. */
export type Words =
  readonly string[] | { readonly length: number; readonly joined: string };

/** The columns of a block, and the lists of words that they point into. */
export interface Columns {
  readonly words: Readonly<Record<string, Words>>;
  readonly columns: Readonly<Record<string, Column>>;
}

const SHORTEST_JOINED = 16;

/** Takes values apart into columns of small numbers, which pack well. `ColumnReader` puts them together again in the same order. */
export class ColumnWriter {
  readonly #columns = new Map<string, (number | null)[]>();
  readonly #ids = new Map<string, number>();
  readonly #books = new Map<string, Map<string, number>>();
  readonly #recent = new Map<string, string[]>();
  /** The last instant that was written: the next one counts from it. Milliseconds since 1970. */
  clock: Instant = 0;

  /** As it is. */
  number(name: string, value: number | null): void {
    const column = this.#columns.get(name);
    if (column) column.push(value);
    else this.#columns.set(name, [value]);
  }

  /** By how much it is more than the last one of this column: what counts up is small so. */
  id(name: string, value: number): void {
    this.number(name, value - (this.#ids.get(name) ?? 0));
    this.#ids.set(name, value);
  }

  /** Seconds since the clock. */
  instant(name: string, value: Instant): void {
    this.number(name, (value - this.clock) / 1000);
    this.clock = value;
  }

  /** One of few: its place in the list of words. */
  word(name: string, value: string): void {
    const book = this.#book(name);
    if (!book.has(value)) book.set(value, book.size);
    this.number(name, book.get(value) ?? 0);
  }

  /** One of many: 0 for the next new word of the list, 1 for the last one used, 2 for the one used before that. @param book the list */
  text(name: string, value: string, book: string): void {
    const words = this.#book(book);
    const recent = this.#recent.get(book) ?? [];
    this.#recent.set(book, recent);
    if (words.has(value)) {
      const place = recent.lastIndexOf(value);
      this.number(name, recent.length - place);
      recent.splice(place, 1);
    } else {
      words.set(value, words.size);
      this.number(name, 0);
    }
    recent.push(value);
  }

  finish(): Columns {
    return {
      words: Object.fromEntries(
        [...this.#books].map(([name, book]) => [
          name,
          joined([...book.keys()]),
        ]),
      ),
      columns: Object.fromEntries(
        [...this.#columns].map(([name, values]) => [name, shortened(values)]),
      ),
    };
  }

  #book(name: string): Map<string, number> {
    let book = this.#books.get(name);
    if (!book) {
      book = new Map<string, number>();
      this.#books.set(name, book);
    }
    return book;
  }
}

function shortened(values: readonly (number | null)[]): Column {
  const [first = null] = values;
  return values.every((each) => each === first) ? first : values;
}

function joined(words: readonly string[]): Words {
  const [{ length } = ""] = words;
  return words.length > 1 &&
    length >= SHORTEST_JOINED &&
    words.every((each) => each.length === length)
    ? { length, joined: words.join("") }
    : words;
}
