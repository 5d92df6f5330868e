import { isMap, isScalar, parseDocument } from "yaml";
import { type Catalogs, readCatalogs } from "@skein/versions";
import { unscoped } from "../names/names.js";

/** A catalog that contains a dependency at a separate version. */
export interface DebtCatalog {
  readonly name: string;
  readonly ident: string;
  readonly range: string;
  readonly isNew: boolean;
}

/**
 * Returns the named catalog for a package's own range: a catalog that already has this range, or else one with the
 * package's name. A catalog of that name with another range for the dependency isn't changed; the name then gets a
 * number.
 * @returns undefined if the project uses no catalogs
 */
export function chooseDebtCatalog(
  catalogs: Catalogs,
  packageName: string,
  ident: string,
  range: string,
): DebtCatalog | undefined {
  if (catalogs.size === 0) return undefined;
  for (const [name, ranges] of catalogs)
    if (name !== "" && ranges.get(ident) === range)
      return { name, ident, range, isNew: false };
  const base = unscoped(packageName);
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base}-${count}`;
    if (catalogs.get(name)?.has(ident) !== true)
      return { name, ident, range, isNew: true };
  }
}

/**
 * Adds entries to named catalogs of a .yarnrc.yml, line by line; the rest of the text doesn't change.
 * @returns undefined if lines can't be added to the file in its present form
 */
export function addToCatalogs(
  text: string,
  entries: readonly DebtCatalog[],
): string | undefined {
  let result = text;
  for (const entry of entries) {
    const next = addOne(result, entry);
    // Check that the new text parses to the wanted range.
    const catalogs = next === undefined ? undefined : readCatalogs(next);
    if (
      next === undefined ||
      catalogs?.get(entry.name)?.get(entry.ident) !== entry.range
    )
      return undefined;
    result = next;
  }
  return result;
}

function addOne(
  text: string,
  { name, ident, range }: DebtCatalog,
): string | undefined {
  const line = `    ${quote(ident)}: ${quote(range)}\n`;
  const section = `  ${quote(name)}:\n${line}`;
  const ended = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  const document = parseDocument(ended);
  if (document.errors.length > 0) return undefined;
  const catalogs = document.get("catalogs", true);
  if (catalogs === undefined) return `${ended}\ncatalogs:\n${section}`;
  if (!isMap(catalogs) || catalogs.flow === true || !catalogs.range)
    return undefined;
  const own = catalogs.items.find(
    ({ key }) => isScalar(key) && String(key.value) === name,
  )?.value;
  if (own === undefined) return insert(ended, catalogs.range[1], section);
  if (!isMap(own) || own.flow === true || !own.range) return undefined;
  return insert(ended, own.range[1], line);
}

/** Inserts lines after the line that ends a block. The lines of a block end where the next block begins. */
function insert(text: string, at: number, lines: string): string {
  const end = text.slice(0, at).trimEnd().length;
  const next = text.indexOf("\n", end) + 1;
  return text.slice(0, next) + lines + text.slice(next);
}

/** Writes a scalar as Yarn does: quoted if YAML would parse it as something else. */
function quote(text: string): string {
  return /^[A-Za-z][\w./-]*$|^[\^~][\w.+-]+$/.test(text)
    ? text
    : JSON.stringify(text);
}
