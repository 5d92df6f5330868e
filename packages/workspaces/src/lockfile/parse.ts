import { LockfileError } from "./lockfile.js";
import type { LockDependency, LockEntry, Lockfile } from "./lockfile.js";

/**
 * Parses yarn.lock as Yarn 2 and later write it (a small, regular part of YAML), in one pass over the text.
 * A general YAML parser takes seconds for 100,000 lines.
 * @throws {LockfileError} on Yarn 1's format, on merge-conflict markers, and on any line it does not understand
 */
export function parseLockfile(text: string): Lockfile {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const source = body.includes("\r") ? body.replaceAll("\r\n", "\n") : body;
  const entries: LockEntry[] = [];
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
      continue;
    }
    const blockEnd = endOfBlock(source, end);
    if (source.startsWith("__metadata:", position)) position = blockEnd;
    else {
      entries.push(parseEntry(source, position, end, blockEnd));
      position = blockEnd;
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

function parseEntry(
  source: string,
  start: number,
  headerEnd: number,
  blockEnd: number,
): LockEntry {
  const descriptors = parseKeys(source, start, headerEnd);
  let resolution: string | undefined;
  const dependencies: LockDependency[] = [];
  const peerDependencies: LockDependency[] = [];
  let section: LockDependency[] | undefined;
  for (let position = headerEnd + 1; position < blockEnd;) {
    const end = endOfLine(source, position);
    if (source.charCodeAt(position + 2) !== SPACE) {
      section = undefined;
      if (source.startsWith("  resolution:", position))
        resolution = scalar(source.slice(position + 14, end));
      else if (source.startsWith("  dependencies:", position))
        section = dependencies;
      else if (source.startsWith("  peerDependencies:", position))
        section = peerDependencies;
    } else if (section && source.charCodeAt(position + 4) !== SPACE) {
      section.push(parsePair(source, position + 4, end));
    }
    position = end + 1;
  }
  if (resolution === undefined)
    throw conflictAt(source, blockEnd)
      ? failure("conflict", source, blockEnd)
      : failure("syntax", source, start);
  return {
    descriptors,
    resolution,
    dependencies,
    peerDependencies,
    text: source.slice(headerEnd + 1, blockEnd),
  };
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
  try {
    return scalar(key).split(/ *, */);
  } catch {
    throw failure("syntax", source, start);
  }
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
