import type { Instant } from "../event.js";
import { NoField } from "../no-field.js";

/**
 * The maximum number of values. A single value may fill a whole column, so a few characters could otherwise produce
 * endless events.
 */
const MOST_VALUES = 5_000_000;

/**
 * Returns the next value of a column or field.
 * @throws {NoField} if the next value has another type
 */
export type Take<T> = () => T;

/**
 * Reads the columns of a block, in the order of its fields. Columns are opened once, and then return one value after
 * another, because there may be a million of them. For any input, it returns values of the requested type or throws
 * `NoField`.
 */
export class ColumnReader {
  readonly #wire: Readonly<Record<string, unknown>>;
  readonly #wireWords: Readonly<Record<string, unknown>>;
  readonly #columns = new Map<string, Column>();
  readonly #books = new Map<string, Book>();
  readonly #allowance: Allowance = { left: MOST_VALUES };
  /** The last instant that was read, in milliseconds since 1970. */
  clock: Instant = 0;

  /** @throws {NoField} if these aren't columns and words */
  constructor(columns: unknown, words: unknown) {
    this.#wire = object(columns);
    this.#wireWords = object(words);
  }

  /** Opens a column. A missing column has no values. */
  column(name: string): Column {
    let column = this.#columns.get(name);
    if (!column) {
      column = new Column(
        Object.hasOwn(this.#wire, name) ? this.#wire[name] : undefined,
        this.#allowance,
      );
      this.#columns.set(name, column);
    }
    return column;
  }

  /** Opens a column of identifying numbers. */
  ids(name: string): Take<number> {
    const column = this.column(name);
    return () => (column.id += column.number());
  }

  instants(name: string): Take<Instant> {
    const column = this.column(name);
    return () => (this.clock += Math.round(column.number() * 1000));
  }

  /** @param check throws if a word is not valid for this field; called once per word */
  words(name: string, check: (word: unknown) => string): Take<string> {
    const column = this.column(name);
    const { words } = this.#book(name, check);
    return () => known(words[column.number()]);
  }

  /** @param check throws if a word is not valid for this field; called once per word */
  texts(
    name: string,
    book: string,
    check: (word: unknown) => string,
  ): Take<string> {
    const column = this.column(name);
    const open = this.#book(book, check);
    const { words, recent } = open;
    return () => {
      const back = column.number();
      const place = recent.length - back;
      const index = back === 0 ? open.next++ : recent[place];
      if (index === undefined) throw new NoField("no word");
      const word = known(words[index]);
      if (back !== 1) {
        if (back > 0) recent.splice(place, 1);
        recent.push(index);
      }
      return word;
    };
  }

  /** Returns the names of columns that were never read. They are from a later version. */
  get unknown(): readonly string[] {
    return Object.keys(this.#wire).filter(
      (name) => (this.#columns.get(name)?.taken ?? 0) === 0,
    );
  }

  /** @throws {NoField} if a column has more values than were read */
  close(): void {
    for (const column of this.#columns.values()) column.close();
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

/** A column, which is read from its first value on. */
export class Column {
  readonly #values: readonly unknown[] | undefined;
  /** A single value for all rows. */
  readonly #same: unknown;
  readonly #allowance: Allowance;
  /** The number of values that were read. */
  taken = 0;
  /** The last number of `ids`. */
  id = 0;

  constructor(wire: unknown, allowance: Allowance) {
    this.#values = Array.isArray(wire) ? (wire as unknown[]) : undefined;
    this.#same = wire;
    this.#allowance = allowance;
  }

  /** Returns whether the next value is null, and skips it if so. */
  isNull(): boolean {
    if (this.#next !== null) return false;
    this.#pass();
    return true;
  }

  number(): number {
    const value = this.#next;
    if (typeof value !== "number") throw new NoField("no number");
    this.#pass();
    return value;
  }

  /** @throws {NoField} if it has more values than were read */
  close(): void {
    if (this.#values && this.#values.length !== this.taken)
      throw new NoField("columns of several lengths");
  }

  get #next(): unknown {
    return this.#values ? this.#values[this.taken] : this.#same;
  }

  #pass(): void {
    this.taken++;
    if (--this.#allowance.left < 0) throw new NoField("too many values");
  }
}

/** The number of values that all columns together may still return. */
interface Allowance {
  left: number;
}

interface Book {
  readonly words: readonly string[];
  next: number;
  /** Indices in the list of words, the most recently used last. */
  readonly recent: number[];
}

function known(word: string | undefined): string {
  if (word === undefined) throw new NoField("no word");
  return word;
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
