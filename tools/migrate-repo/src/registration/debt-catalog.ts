import { isMap, isScalar, parseDocument } from "yaml";
import { unscoped } from "../names/names.js";
import { readCatalogs, type Catalogs } from "./facts.js";

/** A catalog that holds a dependency at a version of its own. */
export interface DebtCatalog {
  readonly name: string;
  readonly ident: string;
  readonly range: string;
  readonly isNew: boolean;
}

/**
 * Returns which named catalog a range of its own goes to: one that says the same already, else the package's. A catalog
 * of that
 * name that says otherwise is left alone.
 * @returns undefined where the project uses no catalogs
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
 * Adds entries to named catalogs of a .yarnrc.yml, as lines; everything else stays as it is written.
 * @returns undefined where the file has a form that lines cannot be added to
 */
export function addToCatalogs(
  text: string,
  entries: readonly DebtCatalog[],
): string | undefined {
  let result = text;
  for (const entry of entries) {
    const next = addOne(result, entry);
    // Yarn reads the file, not our intentions.
    const said = next === undefined ? undefined : readCatalogs(next);
    if (
      next === undefined ||
      said?.get(entry.name)?.get(entry.ident) !== entry.range
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

/** After the line that ends a block; the lines of a block end where the next one begins. */
function insert(text: string, at: number, lines: string): string {
  const end = text.slice(0, at).trimEnd().length;
  const next = text.indexOf("\n", end) + 1;
  return text.slice(0, next) + lines + text.slice(next);
}

/** As Yarn writes it: quoted where YAML would read something else. */
function quote(text: string): string {
  return /^[A-Za-z][\w./-]*$|^[\^~][\w.+-]+$/.test(text)
    ? text
    : JSON.stringify(text);
}
