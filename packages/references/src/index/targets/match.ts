import type { ReferenceKind } from "../../reference.js";
import { isOfCi } from "@skein/known-tools";
import type { FoundReference } from "../../graph.js";
import { mayEndWith } from "../../resolve.js";
import type { Layer } from "../layer.js";

/** A reference of a layer. */
export interface Row {
  readonly layer: Layer;
  readonly row: number;
}

/** A reference of a layer, and the path that it means, if it isn't the one that it names (an alias). */
export interface RowWithPath extends Row {
  readonly path?: string | undefined;
}

/** A row that may mean a path. */
export interface Match extends Row {
  /** It means a folder that contains the path. */
  readonly byFolder: boolean;
  readonly reference: FoundReference;
  /** The script of the root that uses the path, if the reference is a package's call of that script. */
  readonly script?: FoundReference;
}

/** @param path the target, if it isn't the one in the table */
export function match(
  layer: Layer,
  row: number,
  byFolder: boolean,
  path?: string,
  script?: FoundReference,
): Match {
  let reference: FoundReference | undefined;
  return {
    ...{ layer, row, byFolder },
    // Most matches are only counted, or looked up by their rows.
    get reference() {
      return (reference ??= layer.found(row, path));
    },
    ...(script && { script }),
  };
}

/** Returns whether a row only may lead to a file of CI, by an open end: nothing runs the file's commands because of that. */
export function mayLeadToCi(
  file: string,
  { byFolder, reference }: Match,
): boolean {
  return isOfCi(file) && (byFolder || reference.partial);
}

/** Removes references that are equal to an earlier one. */
export function dedupe(matches: readonly Match[]): readonly Match[] {
  if (matches.length < 2) return matches;
  const seen = new Set<string>();
  return matches.filter(
    ({ reference: { file, line, column, kind, specifier } }) => {
      const key = `${file}\0${line}\0${column}\0${kind}\0${specifier}`;
      return !seen.has(key) && seen.add(key);
    },
  );
}

/** Sorts by file, line and column; by code units, so that the order is the same everywhere. */
export function byPlace(a: Match, b: Match): number {
  const [x, y] = [a.reference, b.reference];
  if (x.file !== y.file) return x.file < y.file ? -1 : 1;
  return x.line - y.line || x.column - y.column;
}

/** Names in a folder: they begin and end like this. */
interface Names {
  /** From the project's root. */
  readonly beginning: string;
  readonly suffix: string;
  /** The rows that mean these names, each with its place among all rows. */
  readonly rows: (readonly [place: number, row: Match])[];
}

/** Rows that mean names in a folder. Many of them mean the same names, so these are compared with a path only once. */
export class NamesInFolder {
  readonly #names = new Map<string, Names>();
  #length = 0;

  add(row: Match, beginning: string, suffix: string): void {
    const key = `${beginning}\0${suffix}`;
    let names = this.#names.get(key);
    if (!names) this.#names.set(key, (names = { beginning, suffix, rows: [] }));
    names.rows.push([this.#length++, row]);
  }

  /**
   * Returns the rows that mean a path, in the order in which they were added.
   * @param keys `keysOf(path)`
   */
  meaning(path: string, keys: readonly string[]): readonly Match[] {
    const found: Names["rows"] = [];
    for (const { beginning, suffix, rows } of this.#names.values())
      if (path.startsWith(beginning) && mayEndWith(path, suffix, keys))
        for (const row of rows) found.push(row);
    return found.sort(([a], [b]) => a - b).map(([, row]) => row);
  }
}

/** Returns the rows of a kind; all of them if no kind is asked for. */
export function ofKind(
  layer: Layer,
  rows: readonly number[],
  only: ReferenceKind | undefined,
): readonly number[] {
  return only === undefined
    ? rows
    : rows.filter((row) => layer.kind(row) === only);
}
