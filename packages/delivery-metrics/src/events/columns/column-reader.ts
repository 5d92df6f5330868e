import type { Instant } from "../event.js";
import { NoField } from "../no-field.js";

/** One value may stand for a whole column, so that a few letters could ask for endless events. */
const MOST_VALUES = 5_000_000;

interface Open {
  /** One value alone stands for all. */
  readonly values: readonly unknown[] | undefined;
  readonly same: unknown;
  next: number;
}

interface Book {
  readonly words: readonly string[];
  next: number;
  /** Places in the list of words, the one used last at the end. */
  readonly recent: number[];
}

/** Reads what a `ColumnWriter` wrote, in the same order. Whatever it is given, it gives what was asked for or throws `NoField`. */
export class ColumnReader {
  readonly #wire: Readonly<Record<string, unknown>>;
  readonly #wireWords: Readonly<Record<string, unknown>>;
  readonly #columns = new Map<string, Open>();
  readonly #ids = new Map<string, number>();
  readonly #books = new Map<string, Book>();
  #taken = 0;
  /** The last instant that was read. Milliseconds since 1970. */
  clock: Instant = 0;

  /** @throws {NoField} where these are none */
  constructor(columns: unknown, words: unknown) {
    this.#wire = object(columns);
    this.#wireWords = object(words);
  }

  /** Whether the next value of a column is none; then it is passed over. */
  isNull(name: string): boolean {
    const column = this.#column(name);
    const isNull = valueOf(column) === null;
    if (isNull) this.#pass(column);
    return isNull;
  }

  number(name: string): number {
    const column = this.#column(name);
    const value = valueOf(column);
    if (typeof value !== "number") throw new NoField("no number");
    this.#pass(column);
    return value;
  }

  id(name: string): number {
    const value = this.number(name) + (this.#ids.get(name) ?? 0);
    this.#ids.set(name, value);
    return value;
  }

  instant(name: string): Instant {
    return (this.clock += Math.round(this.number(name) * 1000));
  }

  /** @param check throws where a word is none of this field; each is checked once */
  word(name: string, check: (word: unknown) => string): string {
    const { words } = this.#book(name, check);
    const word = words[this.number(name)];
    if (word === undefined) throw new NoField("no word");
    return word;
  }

  /** @param check throws where a word is none of this field; each is checked once */
  text(name: string, book: string, check: (word: unknown) => string): string {
    const back = this.number(name);
    const open = this.#book(book, check);
    const { recent } = open;
    const place = recent.length - back;
    const index = back === 0 ? open.next++ : recent[place];
    const word = index === undefined ? undefined : open.words[index];
    if (index === undefined || word === undefined) throw new NoField("no word");
    if (back !== 1) {
      if (back > 0) recent.splice(place, 1);
      recent.push(index);
    }
    return word;
  }

  /** Names of columns that nobody has asked for: of a later version. */
  get unknown(): readonly string[] {
    return Object.keys(this.#wire).filter((name) => !this.#columns.has(name));
  }

  /** @throws {NoField} where a column holds more than was asked for */
  close(): void {
    for (const { values, next } of this.#columns.values())
      if (values && values.length !== next)
        throw new NoField("columns of several lengths");
  }

  #pass(column: Open): void {
    column.next++;
    if (++this.#taken > MOST_VALUES) throw new NoField("too many values");
  }

  #column(name: string): Open {
    let column = this.#columns.get(name);
    if (!column) {
      const wire = Object.hasOwn(this.#wire, name)
        ? this.#wire[name]
        : undefined;
      if (wire === undefined) throw new NoField("no such column");
      const values = Array.isArray(wire) ? (wire as unknown[]) : undefined;
      column = { values, same: values ? undefined : wire, next: 0 };
      this.#columns.set(name, column);
    }
    return column;
  }

  #book(name: string, check: (word: unknown) => string): Book {
    let book = this.#books.get(name);
    if (!book) {
      const wire = Object.hasOwn(this.#wireWords, name)
        ? this.#wireWords[name]
        : [];
      book = { words: apart(wire).map(check), next: 0, recent: [] };
      this.#books.set(name, book);
    }
    return book;
  }
}

function valueOf({ values, same, next }: Open): unknown {
  return values ? values[next] : same;
}

function apart(wire: unknown): readonly unknown[] {
  if (Array.isArray(wire)) return wire;
  const { length, joined } = object(wire);
  if (
    typeof joined !== "string" ||
    !Number.isSafeInteger(length) ||
    (length as number) < 1 ||
    joined.length % (length as number) !== 0
  )
    throw new NoField("no words");
  return Array.from(
    { length: joined.length / (length as number) },
    (_, index) =>
      joined.slice(
        index * (length as number),
        (index + 1) * (length as number),
      ),
  );
}

function object(wire: unknown): Readonly<Record<string, unknown>> {
  if (typeof wire !== "object" || wire === null || Array.isArray(wire))
    throw new NoField("no object");
  return wire as Readonly<Record<string, unknown>>;
}
