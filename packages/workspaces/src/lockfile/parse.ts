import { LockfileError } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";

/**
 * Parses a yarn.lock of Yarn 2 or later (a small, regular subset of YAML), in one pass over the text. A general YAML
 * parser takes seconds for 100,000 lines.
 * @param known another lockfile, usually the same file at another commit. An entry with the same text, including its
 *   key, is taken from it. The meaning of an entry depends on no other part of the file.
 * @throws {LockfileError} for Yarn 1's format, merge-conflict markers, or any line that it doesn't support
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
      // An invalid escape sequence.
      throw error instanceof SyntaxError
        ? failure("syntax", source, start)
        : error;
    }
  };
  let position = 0;
  while (position < source.length) {
    const explicit = source.startsWith("? ", position);
    // A key that is too long for one line is written as `? "…"` and a line `:`.
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

/** Returns the end of a block, which lasts as long as its lines are indented. */
function endOfBlock(source: string, headerEnd: number): number {
  let position = headerEnd + 1;
  while (source.charCodeAt(position) === SPACE)
    position = endOfLine(source, position) + 1;
  return Math.min(position, source.length);
}

/** Returns whether the lines of a block after its key are exactly this text. */
function isBody(text: string, source: string, start: number): boolean {
  const end = start + text.length;
  // Comparing a slice is several times faster than startsWith.
  return (
    source.slice(start, end) === text &&
    (end === source.length ||
      (text.endsWith("\n") && source.charCodeAt(end) !== SPACE))
  );
}

const NOTHING: readonly LockDependency[] = [];

/** Returns a parser for the entries of one file. Entries with a common dependency share its object. */
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
      // Yarn indents each level by two spaces below its key. Other lines could have a meaning for Yarn that this parser
      // would miss.
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

/** Returns the number of spaces at the start of a line. */
function indentAt(source: string, line: number): number {
  let at = line;
  while (source.charCodeAt(at) === SPACE) at++;
  return at - line;
}

/**
 * Adds optional peers. Yarn treats a name that is only in `peerDependenciesMeta` as a peer of any version too
 * (`normalizePackage`).
 */
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

/** Parses `"a@npm:1, a@npm:^1":`, with or without quotes. Yarn itself splits the key at its commas. */
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

/** Returns a scalar without its quotes and escapes. */
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
