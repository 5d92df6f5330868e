import { StringDecoder } from "node:string_decoder";
import {
  eventId,
  formatEvent,
  mergeEvents,
  parseEvents,
} from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { groupBy } from "@skein/reporting/group-by";
import { isPlain, packText, unpackPieces, unpackText } from "./packed.js";
import type { StoredFiles } from "./store.js";

/**
 * The names `delivery-2026-01-31.ndjson.br`, and `delivery-2026-01-31.1.ndjson.br` if that one is damaged. Earlier
 * versions wrote `delivery-2026-01-31.ndjson.gz`, with one event per line.
 */
const NAME = /^delivery-(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.ndjson\.(gz|br)$/;

/** Returns the day of a file, in UTC; undefined for any other file. */
export function dayOfName(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** Returns the day of an event, `2026-01-31`, in UTC. */
export function dayOf({ at }: { readonly at: number | string }): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * Compares file names by the age of their content. Of two versions of one event, the one in the later file counts.
 * Files that aren't of a day come first.
 */
export function byAge(one: string, other: string): number {
  const [[day, turn, form], [otherDay, otherTurn, otherForm]] = [
    ageOf(one),
    ageOf(other),
  ];
  return (
    compare(day, otherDay) ||
    turn - otherTurn ||
    compare(otherForm, form) ||
    compare(one, other)
  );
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function ageOf(name: string): readonly [string, number, string] {
  const [, day = "", turn = "0", form = ""] = NAME.exec(name) ?? [];
  return [day, Number(turn), form];
}

/** The texts of files, in order of age. */
export interface StoredTexts {
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  /** Files that cannot be decompressed or have a wrong checksum. They are skipped and left unchanged. */
  readonly broken: readonly string[];
}

/** Reads the files that a predicate selects by name, oldest first. It skips broken files and lists them. */
export async function readTexts(
  files: StoredFiles,
  wanted: (name: string) => boolean,
): Promise<StoredTexts> {
  const texts: { name: string; text: string }[] = [];
  const broken: string[] = [];
  for (const name of files.names.filter(wanted).sort(byAge)) {
    const bytes = await files.read(name);
    const text = bytes && unpackText(name, bytes);
    if (text === undefined) broken.push(name);
    else texts.push({ name, text });
  }
  return { texts, broken };
}

/** A file whose text comes in pieces. */
export interface StoredFile {
  readonly name: string;
  /** Undefined for a damaged file. */
  readonly pieces: AsyncIterable<string> | undefined;
}

/** Reads files in order of age, one at a time and piece by piece, so that memory never holds a whole text. */
export async function* eachFile(
  files: StoredFiles,
  wanted: (name: string) => boolean,
): AsyncGenerator<StoredFile> {
  for (const name of files.names.filter(wanted).sort(byAge)) {
    const pieces = await piecesOf(files, name);
    yield { name, pieces: pieces && textOf(pieces) };
  }
}

/** Returns undefined for a damaged file. */
async function piecesOf(
  files: StoredFiles,
  name: string,
): Promise<AsyncIterable<Buffer> | Iterable<Buffer> | undefined> {
  if (isPlain(name) && files.stream) return files.stream(name);
  const bytes = await files.read(name);
  return bytes && (isPlain(name) ? [bytes] : unpackPieces(name, bytes));
}

async function* textOf(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  for await (const piece of pieces) yield decoder.write(piece);
  yield decoder.end();
}

/**
 * Reads the files of all days.
 * @param from skips earlier days
 */
export async function readDays(
  files: StoredFiles,
  from = "",
): Promise<StoredTexts> {
  return readTexts(files, (name) => {
    const day = dayOfName(name);
    return day !== undefined && day >= from;
  });
}

/**
 * Returns the files that change when events are added to their days; undefined for a file whose content is now in
 * another file. Earlier versions of events are preserved, and so are lines that this version doesn't support. An event
 * that equals its last version is not added again. A damaged file of a day stays unchanged, and another file is
 * started.
 */
export async function withEvents(
  files: StoredFiles,
  events: readonly DeliveryEvent[],
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  const changed = new Map<string, Buffer | undefined>();
  for (const [day, added] of groupBy(mergeEvents(events), dayOf)) {
    const own = (name: string) => dayOfName(name) === day;
    const { texts, broken } = await readTexts(files, own);
    const { versions, strays } = versionsIn(texts.map(({ text }) => text));
    if (!added.map((event) => addVersion(versions, event)).includes(true))
      continue;
    const whole =
      strays.map((line) => `${line}\n`).join("") + linesOf(versions);
    const name = newestName(day, files.names.filter(own), broken);
    for (const old of texts) changed.set(old.name, undefined);
    changed.set(name, packText(whole));
  }
  return changed;
}

/**
 * Formats a day: a line for each event, sorted by time and id. Superseded versions come first, because the last line of
 * an event counts.
 */
function linesOf(versions: Versions): string {
  const superseded = [...versions]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([, all]) => all.slice(0, -1));
  const latest = mergeEvents([...versions.values()].flat());
  return [...superseded, ...latest].map(formatEvent).join("");
}

/** All versions of each event by id, in their order. */
type Versions = Map<string, DeliveryEvent[]>;

function versionsIn(texts: readonly string[]): {
  readonly versions: Versions;
  readonly strays: readonly string[];
} {
  const versions: Versions = new Map();
  const kept: string[] = [];
  for (const text of texts) {
    const { events, strays } = parseEvents(text);
    for (const event of events) addVersion(versions, event);
    if (strays.length === 0) continue;
    const lines = text.split("\n");
    for (const { line } of strays) kept.push(lines[line - 1] ?? "");
  }
  return { versions, strays: [...new Set(kept)] };
}

/** @returns whether it differs from the last version */
function addVersion(versions: Versions, event: DeliveryEvent): boolean {
  const id = eventId(event);
  const list = versions.get(id);
  const last = list?.at(-1);
  if (last && formatEvent(last) === formatEvent(event)) return false;
  if (list) list.push(event);
  else versions.set(id, [event]);
  return true;
}

/** Returns the file that is read after all others of its day. */
function newestName(
  day: string,
  names: readonly string[],
  broken: readonly string[],
): string {
  const newest = names.toSorted(byAge).at(-1);
  const [, turn] = ageOf(newest ?? "");
  const next = broken.includes(newest ?? "") ? turn + 1 : turn;
  return `delivery-${day}${next === 0 ? "" : `.${next}`}.ndjson.br`;
}
