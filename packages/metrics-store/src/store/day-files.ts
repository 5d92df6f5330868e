import {
  eventId,
  formatEvent,
  mergeEvents,
  parseEvents,
} from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { packText, unpackText } from "./packed.js";
import type { StoredFiles } from "./store.js";

/**
 * `delivery-2026-01-31.ndjson.br`, and where that one is broken `delivery-2026-01-31.1.ndjson.br`. Earlier versions wrote
 * `delivery-2026-01-31.ndjson.gz`, a line an event.
 */
const NAME = /^delivery-(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.ndjson\.(gz|br)$/;

/** Returns the day that a file holds, by UTC; undefined for any other file. */
export function dayOfName(name: string): string | undefined {
  return NAME.exec(name)?.[1];
}

/** By UTC. */
export function dayOf({ at }: Pick<DeliveryEvent, "at">): string {
  return new Date(at).toISOString().slice(0, 10);
}

/**
 * In the order in which they were told: of two tellings of one event, the later one counts. What is no day's file comes
 * first.
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

/** Texts of files, in order of age. */
export interface StoredTexts {
  readonly texts: readonly { readonly name: string; readonly text: string }[];
  /** Files that cannot be unpacked, or whose sum is wrong: they are passed over, and left as they are. */
  readonly broken: readonly string[];
}

export async function readTexts(
  files: StoredFiles,
  wanted: (name: string) => boolean,
): Promise<StoredTexts> {
  const texts: { name: string; text: string }[] = [];
  const broken: string[] = [];
  for await (const { name, text } of eachText(files, wanted))
    if (text === undefined) broken.push(name);
    else texts.push({ name, text });
  return { texts, broken };
}

/**
 * Reads files in order of age, one at a time, so that only one text is held.
 * @returns each file's text; undefined for a file that is broken
 */
export async function* eachText(
  files: StoredFiles,
  wanted: (name: string) => boolean,
): AsyncGenerator<{
  readonly name: string;
  readonly text: string | undefined;
}> {
  for (const name of files.names.filter(wanted).sort(byAge)) {
    const bytes = await files.read(name);
    yield { name, text: bytes && unpackText(name, bytes) };
  }
}

/** Reads the files of all days. @param from only of this day and later ones */
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
 * Returns the files that change where events are added to their days; undefined for one whose content another one has
 * taken over. What was
 * told before stays, line by line where this version does not know it, and what says the same as the last telling is
 * not told again.
 * A day's file that is broken stays as it is, and another one is begun.
 */
export async function withEvents(
  files: StoredFiles,
  events: readonly DeliveryEvent[],
): Promise<ReadonlyMap<string, Buffer | undefined>> {
  const changed = new Map<string, Buffer | undefined>();
  for (const [day, added] of byDay(mergeEvents(events))) {
    const own = (name: string) => dayOfName(name) === day;
    const { texts, broken } = await readTexts(files, own);
    const { told, strays } = tellingsOf(texts.map(({ text }) => text));
    if (!added.map((event) => tell(told, event)).includes(true)) continue;
    const whole = strays.map((line) => `${line}\n`).join("") + linesOf(told);
    const name = newestName(day, files.names.filter(own), broken);
    for (const old of texts) changed.set(old.name, undefined);
    changed.set(name, packText(whole));
  }
  return changed;
}

/**
 * Formats a day: a line for each event, sorted by time and id. Superseded tellings come first, because the last line of an
 * event counts.
 */
function linesOf(told: Told): string {
  const superseded = [...told]
    .sort(([one], [other]) => compare(one, other))
    .flatMap(([, tellings]) => tellings.slice(0, -1));
  const latest = mergeEvents([...told.values()].flat());
  return [...superseded, ...latest].map(formatEvent).join("");
}

/** By id, every telling in its order. */
type Told = Map<string, DeliveryEvent[]>;

function tellingsOf(texts: readonly string[]): {
  readonly told: Told;
  readonly strays: readonly string[];
} {
  const told: Told = new Map();
  const kept: string[] = [];
  for (const text of texts) {
    const { events, strays } = parseEvents(text);
    for (const event of events) tell(told, event);
    if (strays.length === 0) continue;
    const lines = text.split("\n");
    for (const { line } of strays) kept.push(lines[line - 1] ?? "");
  }
  return { told, strays: [...new Set(kept)] };
}

/** @returns whether it says something else than the last telling */
function tell(told: Told, event: DeliveryEvent): boolean {
  const id = eventId(event);
  const list = told.get(id);
  const last = list?.at(-1);
  if (last && formatEvent(last) === formatEvent(event)) return false;
  if (list) list.push(event);
  else told.set(id, [event]);
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

function byDay(
  events: readonly DeliveryEvent[],
): ReadonlyMap<string, readonly DeliveryEvent[]> {
  const days = new Map<string, DeliveryEvent[]>();
  for (const event of events) {
    const list = days.get(dayOf(event));
    if (list) list.push(event);
    else days.set(dayOf(event), [event]);
  }
  return days;
}
