import type { Instant } from "../event.js";
import { NoField } from "../no-field.js";

/** One value may stand for a whole column, so that a few letters could ask for endless events. */
const MOST_VALUES = 5_000_000;

/** Gives the next value of something that is being read. @throws {NoField} where the next value is none of it */
export type Take<T> = () => T;

/**
 * Reads what a `ColumnWriter` wrote, in the same order. Columns are opened once, and then asked for one value after another: there may
 * be a million of them. Whatever it is given, it gives what was asked for or throws `NoField`.
 */
export class ColumnReader {
  readonly #wire: Readonly<Record<string, unknown>>;
  readonly #wireWords: Readonly<Record<string, unknown>>;
  readonly #columns = new Map<string, Column>();
  readonly #books = new Map<string, Book>();
  readonly #allowance: Allowance = { left: MOST_VALUES };
  /** The last instant that was read. Milliseconds since 1970. */
  clock: Instant = 0;

  /** @throws {NoField} where these are none */
  constructor(columns: unknown, words: unknown) {
    this.#wire = object(columns);
    this.#wireWords = object(words);
  }

  /** Opens a column. One that is not there has no values. */
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

  /** Numbers that name. */
  ids(name: string): Take<number> {
    const column = this.column(name);
    return () => (column.id += column.number());
  }

  instants(name: string): Take<Instant> {
    const column = this.column(name);
    return () => (this.clock += Math.round(column.number() * 1000));
  }

  /** @param check throws where a word is none of this field; each is checked once */
  words(name: string, check: (word: unknown) => string): Take<string> {
    const column = this.column(name);
    const { words } = this.#book(name, check);
    return () => known(words[column.number()]);
  }

  /** @param check throws where a word is none of this field; each is checked once */
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

  /** Names of columns that nobody has asked for: of a later version. */
  get unknown(): readonly string[] {
    return Object.keys(this.#wire).filter(
      (name) => (this.#columns.get(name)?.taken ?? 0) === 0,
    );
  }

  /** @throws {NoField} where a column holds more than was asked for */
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

/** One column, from its first value on. */
export class Column {
  readonly #values: readonly unknown[] | undefined;
  /** One value alone stands for all. */
  readonly #same: unknown;
  readonly #allowance: Allowance;
  /** So many values were taken. */
  taken = 0;
  /** The last number of `ids`. */
  id = 0;

  constructor(wire: unknown, allowance: Allowance) {
    this.#values = Array.isArray(wire) ? (wire as unknown[]) : undefined;
    this.#same = wire;
    this.#allowance = allowance;
  }

  /** Whether the next value is none; then it is passed over. */
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

  /** @throws {NoField} where it holds more than was asked for */
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

/** How many more values all columns together may give. */
interface Allowance {
  left: number;
}

interface Book {
  readonly words: readonly string[];
  next: number;
  /** Places in the list of words, the one used last at the end. */
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
