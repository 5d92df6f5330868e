import { LockfileError } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";

/**
 * Parses yarn.lock as Yarn 2 and later write it (a small, regular part of YAML), in one pass over the text.
 * A general YAML parser takes seconds for 100,000 lines.
 * @param known another lockfile, as a rule the same at another commit: an entry that it spells the same way, key and all,
 *   is taken from there. What an entry means hangs on nothing else in the file.
 * @throws {LockfileError} on Yarn 1's format, on merge-conflict markers, and on any line it does not understand
 */
export function parseLockfile(text: string, known?: Lockfile): Lockfile {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const source = body.includes("\r") ? body.replaceAll("\r\n", "\n") : body;
  const entries: LockEntry[] = [];
  const byKey = new Map(known?.entries.map((entry) => [entry.key, entry]));
  const parse = openEntries(source);
  const parseEntry = (start: number, end: number) => {
    try {
      return parse(start, end);
    } catch (error) {
      // An escape that means nothing.
      throw error instanceof SyntaxError
        ? failure("syntax", source, start)
        : error;
    }
  };
  let position = 0;
  while (position < source.length) {
    const explicit = source.startsWith("? ", position);
    // A key too long for one line comes as `? "…"` and a line `:`.
    const end = explicit
      ? endOfLine(source, endOfLine(source, position) + 1)
      : endOfLine(source, position);
    const first = source.charCodeAt(position);
    if (first === NEWLINE || first === HASH) {
      if (source.startsWith("# yarn lockfile v1", position))
        throw failure("yarn-1", source, position);
      position = end + 1;
    } else if (source.startsWith("__metadata:", position)) {
      position = endOfBlock(source, end);
    } else {
      const same = known && byKey.get(source.slice(position, end));
      const isSame = same !== undefined && isBody(same.text, source, end + 1);
      const entry = isSame ? same : parseEntry(position, end);
      entries.push(entry);
      position = Math.min(end + 1 + entry.text.length, source.length);
    }
  }
  return { entries };
}

const NEWLINE = 10;
const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const HASH = 35;

function endOfLine(source: string, from: number): number {
  const end = source.indexOf("\n", from);
  return end < 0 ? source.length : end;
}

/** A block lasts while its lines are indented. */
function endOfBlock(source: string, headerEnd: number): number {
  let position = headerEnd + 1;
  while (source.charCodeAt(position) === SPACE)
    position = endOfLine(source, position) + 1;
  return Math.min(position, source.length);
}

/** Whether a block's lines after its key are this text, and no more. */
function isBody(text: string, source: string, start: number): boolean {
  const end = start + text.length;
  // Comparing a slice is several times quicker than startsWith.
  return (
    source.slice(start, end) === text &&
    (end === source.length ||
      (text.endsWith("\n") && source.charCodeAt(end) !== SPACE))
  );
}

const NOTHING: readonly LockDependency[] = [];

/** Parses entries of one file; those that have a dependency in common share what it says. */
function openEntries(source: string) {
  const pairs = new Map<string, LockDependency>();
  const pairAt = (start: number, end: number): LockDependency => {
    const line = source.slice(start, end);
    let pair = pairs.get(line);
    if (!pair) pairs.set(line, (pair = parsePair(source, start, end)));
    return pair;
  };
  return (start: number, headerEnd: number): LockEntry => {
    const descriptors = parseKeys(source, start, headerEnd);
    let resolution: string | undefined;
    let dependencies: LockDependency[] | undefined;
    let peerDependencies: LockDependency[] | undefined;
    let peerMeta: LockDependency[] | undefined;
    let section: LockDependency[] | undefined;
    let position = headerEnd + 1;
    let allowed = 2;
    while (source.charCodeAt(position) === SPACE) {
      const end = endOfLine(source, position);
      const indent = indentAt(source, position);
      // Yarn indents by two, each level below a key. Other lines would say something to Yarn that is not seen here.
      if (indent % 2 !== 0 || indent > allowed)
        throw failure("syntax", source, position);
      allowed = source.charCodeAt(end - 1) === COLON ? indent + 2 : indent;
      if (indent === 2) {
        section = undefined;
        if (source.startsWith("  resolution:", position))
          resolution = scalar(source.slice(position + 14, end));
        else if (source.startsWith("  dependencies:", position))
          section = dependencies ??= [];
        else if (source.startsWith("  peerDependencies:", position))
          section = peerDependencies ??= [];
        else if (source.startsWith("  peerDependenciesMeta:", position))
          section = peerMeta ??= [];
      } else if (section && indent === 4) {
        section.push(pairAt(position + 4, end));
      }
      position = end + 1;
    }
    const blockEnd = Math.min(position, source.length);
    if (resolution === undefined)
      throw conflictAt(source, blockEnd)
        ? failure("conflict", source, blockEnd)
        : failure("syntax", source, start);
    return {
      key: source.slice(start, headerEnd),
      descriptors,
      resolution,
      dependencies: dependencies ?? NOTHING,
      peerDependencies: withOptional(peerDependencies ?? NOTHING, peerMeta),
      text: source.slice(headerEnd + 1, blockEnd),
    };
  };
}

/** The number of spaces that a line begins with. */
function indentAt(source: string, line: number): number {
  let at = line;
  while (source.charCodeAt(at) === SPACE) at++;
  return at - line;
}

/** Yarn takes a name in `peerDependenciesMeta` alone for a peer too, of any version (`normalizePackage`). */
function withOptional(
  peers: readonly LockDependency[],
  meta: readonly LockDependency[] = NOTHING,
): readonly LockDependency[] {
  const more = meta.filter(
    ([ident]) => !peers.some(([name]) => name === ident),
  );
  return more.length === 0
    ? peers
    : [...peers, ...more.map(([ident]): LockDependency => [ident, "*"])];
}

/** `"a@npm:1, a@npm:^1":`, or without quotes. Yarn itself cuts the key at its commas. */
function parseKeys(source: string, start: number, end: number): string[] {
  if (source.charCodeAt(end - 1) !== COLON)
    throw failure(
      conflictAt(source, start) ? "conflict" : "syntax",
      source,
      start,
    );
  const key = source.startsWith("? ", start)
    ? source.slice(start + 2, end - 2)
    : source.slice(start, end - 1);
  const words = scalar(key);
  return words.includes(",") ? words.split(/ *, */) : [words];
}

function conflictAt(source: string, position: number): boolean {
  return /^(<{7}|={7}|>{7}|\|{7})/.test(source.slice(position, position + 7));
}

function parsePair(source: string, start: number, end: number): LockDependency {
  if (source.charCodeAt(start) === QUOTE) {
    const close = source.indexOf('"', start + 1);
    if (close < 0 || close >= end) throw failure("syntax", source, start);
    return [
      source.slice(start + 1, close),
      scalar(source.slice(close + 2, end)),
    ];
  }
  const colon = source.indexOf(":", start);
  if (colon < 0 || colon >= end) throw failure("syntax", source, start);
  return [source.slice(start, colon), scalar(source.slice(colon + 1, end))];
}

/** A scalar without its quotes and escapes. */
function scalar(raw: string): string {
  const value = raw.trim();
  if (!value.startsWith('"')) return value;
  return value.includes("\\")
    ? (JSON.parse(value) as string)
    : value.slice(1, -1);
}

function failure(
  kind: LockfileError["kind"],
  source: string,
  position: number,
): LockfileError {
  let line = 1;
  for (
    let at = source.indexOf("\n");
    at >= 0 && at < position;
    at = source.indexOf("\n", at + 1)
  )
    line++;
  return new LockfileError(kind, line);
}
