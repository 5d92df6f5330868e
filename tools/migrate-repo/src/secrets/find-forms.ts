import { FORMS, SHORTEST_START, type Form } from "./forms.js";
import { isPublished } from "./published.js";

/** A token in some bytes. */
export interface Found {
  readonly kind: string;
  /** 1-based. */
  readonly line: number;
  /** The token's value, to compare it with others. It is never shown. */
  readonly value: string;
}

/** The most bytes that a form reads before a start. */
const BEHIND = 32;

/** The most bytes that a form reads from a start: a private key's header, and enough of its body. */
const AHEAD = 512;

/**
 * The number of bytes at the end of one chunk of a file that are read again with the next chunk, for a token that was
 * split.
 */
export const BEHIND_AND_AHEAD = BEHIND + AHEAD;

interface Start {
  readonly bytes: Buffer;
  readonly form: Form;
}

/**
 * The number of bytes to skip for each pair of bytes: the next start can't end earlier. The search is Wu and Manber's
 * for many words at once ("A fast algorithm for multi-pattern searching", 1994). On source code it reads every second
 * or third byte, and decodes nothing before four bytes are those of a start.
 */
const skips = new Uint8Array(65_536).fill(SHORTEST_START - 1);
/** 1 for each pair of bytes that a start begins with. */
const beginnings = new Uint8Array(65_536);
/** The starts, by their first four bytes. */
const starts = new Map<number, Start[]>();

for (const form of FORMS)
  for (const start of form.starts) {
    const bytes = Buffer.from(start, "latin1");
    for (let end = 1; end < SHORTEST_START; end++) {
      const pair = pairAt(bytes, end);
      skips[pair] = Math.min(skips[pair] ?? 0, SHORTEST_START - 1 - end);
    }
    beginnings[pairAt(bytes, 1)] = 1;
    const key = bytes.readInt32LE();
    starts.set(key, [...(starts.get(key) ?? []), { bytes, form }]);
  }

function pairAt(bytes: Uint8Array, end: number): number {
  return (bytes[end - 1] ?? 0) | ((bytes[end] ?? 0) << 8);
}

/** Returns the tokens in some bytes, each with its line. Supports UTF-16 and every charset that extends ASCII. */
export function findForms(bytes: Buffer): readonly Found[] {
  const found = [...findIn(bytes)];
  return mayBeUtf16(bytes) ? [...found, ...findIn(withoutNul(bytes))] : found;
}

/** Returns whether a chunk of a file holds a token. The caller must then search the whole file. */
export function holdsForm(bytes: Buffer): boolean {
  return (
    findIn(bytes).next().done !== true ||
    (mayBeUtf16(bytes) && findIn(withoutNul(bytes)).next().done !== true)
  );
}

function* findIn(bytes: Buffer): Generator<Found> {
  for (let at = nextStart(bytes, 0); at >= 0; at = nextStart(bytes, at + 1)) {
    const found = tokenAt(bytes, at);
    if (found) yield { ...found, line: lineAt(bytes, at) };
  }
}

/** Finds the next possible start; this is the hot loop. @returns its offset, at or after `from`; -1 if there is none */
function nextStart(bytes: Uint8Array, from: number): number {
  const last = SHORTEST_START - 1;
  let end = from + last;
  while (end < bytes.length) {
    const skip = skips[pairAt(bytes, end)] ?? 0;
    if (skip > 0) end += skip;
    else if (beginnings[pairAt(bytes, end - 2)] === 1) return end - last;
    else end += 1;
  }
  return -1;
}

function tokenAt(bytes: Buffer, at: number): Omit<Found, "line"> | undefined {
  const here = starts.get(bytes.readInt32LE(at)) ?? [];
  for (const { bytes: start, form } of here) {
    if (!bytes.subarray(at, at + start.length).equals(start)) continue;
    const from = Math.max(0, at - BEHIND);
    const text = bytes.toString("latin1", from, at + AHEAD);
    form.form.lastIndex = at - from;
    const [, value = ""] = form.form.exec(text) ?? [];
    if (value !== "" && !isPublished(value) && form.judge(value))
      return { kind: form.kind, value };
  }
  return undefined;
}

function lineAt(bytes: Buffer, at: number): number {
  let line = 1;
  for (let end = bytes.indexOf(10); end >= 0 && end < at; line += 1)
    end = bytes.indexOf(10, end + 1);
  return line;
}

/**
 * Returns whether bytes may be UTF-16: ASCII characters in UTF-16 have a NUL each, and some are among the first bytes.
 */
function mayBeUtf16(bytes: Buffer): boolean {
  return bytes.subarray(0, LOOKED_AT).includes(0);
}

/** The number of bytes in which git looks for a NUL to treat a file as binary (xdiff-interface.c, FIRST_FEW_BYTES). */
const LOOKED_AT = 8000;

function withoutNul(bytes: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (const byte of bytes) if (byte !== 0) kept[length++] = byte;
  return kept.subarray(0, length);
}
