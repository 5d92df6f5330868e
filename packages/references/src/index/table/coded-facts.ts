import {
  type FileFacts,
  type Reference,
  REFERENCE_KINDS,
  type ReferenceKind,
} from "../../reference.js";
import { FROM_FILE, OPENED, PARTIAL, SEARCHED } from "./table.js";

/** The number of each kind in the stored index. */
export const KIND_NUMBER: ReadonlyMap<ReferenceKind, number> = new Map(
  REFERENCE_KINDS.map((kind, number) => [kind, number]),
);

/** Returns the kind's number of a reference, with its flags. */
export function infoOf({
  kind,
  partial,
  fromFile,
  opened,
  searched,
}: Reference): number {
  return (
    (KIND_NUMBER.get(kind) ?? 0) |
    (partial === true ? PARTIAL : 0) |
    (fromFile === true ? FROM_FILE : 0) |
    (opened === true ? OPENED : 0) |
    (searched === true ? SEARCHED : 0)
  );
}

/**
 * The facts of files as numbers, which are transferred between threads much faster than a hundred thousand small objects.
 * Each file has the number of its references, and why it could not be parsed (0, or a string's number + 1). Then each
 * reference has its specifier's number, its kind's number with flags, its line and its column.
 */
export interface CodedFacts {
  /** Strings that no earlier part of the same coder contains. Their numbers continue from those parts. */
  readonly strings: readonly string[];
  readonly numbers: Int32Array;
}

/** Replaces a file's number of references if git doesn't have the file here. */
export const ABSENT = -1;
/** The count of numbers per file. */
export const FILE_NUMBERS = 2;
/** The count of numbers per reference. */
export const REFERENCE_NUMBERS = 4;

/** Coded facts, with all strings of their coder so far. */
export interface FactsPart {
  readonly numbers: Int32Array;
  readonly strings: readonly string[];
  /** The table's numbers of these strings, as far as they are known: one list for all parts of a coder. */
  readonly known: (number | undefined)[];
}

/** Returns the index of the next file's facts. */
export function endOfFacts(numbers: Int32Array, at: number): number {
  const references = Math.max(numbers[at] ?? 0, 0);
  return at + FILE_NUMBERS + references * REFERENCE_NUMBERS;
}

/** Decodes the parts of one coder, in the order in which they were made. */
export class FactsDecoder {
  readonly #strings: string[] = [];
  readonly #known: (number | undefined)[] = [];

  part({ strings, numbers }: CodedFacts): FactsPart {
    for (const string of strings) this.#strings.push(string);
    return { numbers, strings: this.#strings, known: this.#known };
  }
}

/** Encodes the facts of files, one part at a time. */
export class FactsCoder {
  readonly #numbers = new Map<string, number>();

  code(facts: readonly (FileFacts | null)[]): CodedFacts {
    const strings: string[] = [];
    const numbers: number[] = [];
    const numberOf = (string: string): number => {
      let number = this.#numbers.get(string);
      if (number === undefined) {
        number = this.#numbers.size;
        this.#numbers.set(string, number);
        strings.push(string);
      }
      return number;
    };
    for (const one of facts) {
      if (!one) {
        numbers.push(ABSENT, 0);
        continue;
      }
      const { references, unparsed } = one;
      numbers.push(
        references.length,
        unparsed === undefined ? 0 : numberOf(unparsed) + 1,
      );
      for (const reference of references) {
        const { specifier, line, column } = reference;
        numbers.push(numberOf(specifier), infoOf(reference), line, column);
      }
    }
    return { strings, numbers: new Int32Array(numbers) };
  }
}
