import { gzipSync } from "node:zlib";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { expect, test } from "@jest/globals";
import { formatEvent, mergeEvents, parseEvents } from "@skein/delivery-metrics";
import type { DeliveryEvent } from "@skein/delivery-metrics";
import { syntheticWeeks } from "@skein/delivery-metrics/synthetic";
import { tempDir } from "@skein/testing";
import fc from "fast-check";
import { byAge, readDays, withEvents } from "./day-files.js";
import { folderStore } from "./folder-store.js";
import { packText, unpackPieces, unpackText } from "./packed.js";
import { readEvents } from "./read-store.test.kit.js";
import type { StoredFiles } from "./store.js";

const { events } = syntheticWeeks({ seed: 9, days: 3, pullsPerDay: 8 });

/** Returns files in memory. */
function filesOf(files: ReadonlyMap<string, Buffer>): StoredFiles {
  return {
    names: [...files.keys()],
    read: (name) => Promise.resolve(files.get(name)),
  };
}

async function add(
  files: Map<string, Buffer>,
  added: readonly DeliveryEvent[],
): Promise<Map<string, Buffer>> {
  const after = new Map(files);
  for (const [name, bytes] of await withEvents(filesOf(files), added))
    if (bytes) after.set(name, bytes);
    else after.delete(name);
  return after;
}

async function read(files: ReadonlyMap<string, Buffer>) {
  const { texts, broken } = await readDays(filesOf(files));
  return {
    events: texts.flatMap(({ text }) => parseEvents(text).events),
    broken,
  };
}

test("events in any portions result in the same files, which contain all events", async () => {
  const whole = await add(new Map(), events);
  expect([...whole.keys()].sort()).toEqual([
    "delivery-2026-01-05.ndjson.br",
    "delivery-2026-01-06.ndjson.br",
    "delivery-2026-01-07.ndjson.br",
  ]);
  expect(mergeEvents((await read(whole)).events)).toEqual(mergeEvents(events));
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray(events as DeliveryEvent[], {
        minLength: events.length,
      }),
      fc.integer({ min: 50, max: events.length }),
      async (shuffled, portion) => {
        let files = new Map<string, Buffer>();
        for (let at = 0; at < shuffled.length; at += portion)
          files = await add(files, shuffled.slice(at, at + portion));
        // Adding the same events again changes nothing.
        expect(await withEvents(filesOf(files), events)).toEqual(new Map());
        expect(new Map([...files].sort())).toEqual(new Map([...whole].sort()));
      },
    ),
    { numRuns: 5 },
  );
});

const at = Date.UTC(2026, 0, 31, 12);
const titled = (title: string): DeliveryEvent => ({
  kind: "pull-opened",
  at,
  repository: "acme/web",
  pull: 1,
  author: "ada",
  bot: false,
  branch: "topic",
  base: "main",
  draft: false,
  fork: false,
  title,
});
const titles = (all: readonly DeliveryEvent[]) =>
  all.map((event) => event.kind === "pull-opened" && event.title);

test("all versions of an event are preserved in order, also one that equals an earlier version", async () => {
  let files = new Map<string, Buffer>();
  for (const title of ["one", "two", "two", "one"])
    files = await add(files, [titled(title)]);
  const kept = await read(files);
  expect(titles(kept.events)).toEqual(["one", "two", "one"]);
  expect(titles(mergeEvents(kept.events))).toEqual(["one"]);
});

const DAY = "delivery-2026-01-31";

test("the content of an earlier version's file is taken over, including lines of later versions", async () => {
  const later = '{"v":9,"kind":"pull-pinned"}';
  const old = `${formatEvent(titled("old"))}${later}\n`;
  const before = new Map([[`${DAY}.ndjson.gz`, gzipSync(old)]]);
  const files = await add(before, [titled("new")]);
  expect([...files.keys()]).toEqual([`${DAY}.ndjson.br`]);
  const again = await add(files, [titled("newest")]);
  expect(titles((await read(again)).events)).toEqual(["old", "new", "newest"]);
  const bytes = again.get(`${DAY}.ndjson.br`) ?? Buffer.of();
  expect(unpackText("a.br", bytes)?.split("\n")).toContain(later);
});

test("a broken file stays unchanged, and a new file is started that is read after it", async () => {
  const broken = Buffer.from("no archive");
  for (const form of ["gz", "br"]) {
    const before = new Map([[`${DAY}.ndjson.${form}`, broken]]);
    const once = await add(before, [titled("one")]);
    const files = await add(once, [titled("two")]);
    expect([...files.keys()].sort()).toEqual([
      `${DAY}.1.ndjson.br`,
      `${DAY}.ndjson.${form}`,
    ]);
    expect(files.get(`${DAY}.ndjson.${form}`)).toBe(broken);
    expect(await read(files)).toMatchObject({
      broken: [`${DAY}.ndjson.${form}`],
      events: [{ title: "one" }, { title: "two" }],
    });
  }
});

test("files are sorted by the age of their content", () => {
  const names = [
    "events.ndjson",
    `${DAY}.ndjson.gz`,
    `${DAY}.ndjson.br`,
    `${DAY}.1.ndjson.gz`,
    `${DAY}.2.ndjson.br`,
    `${DAY}.10.ndjson.br`,
    "delivery-2026-02-01.ndjson.br",
  ];
  expect(names.toReversed().sort(byAge)).toEqual(names);
});

/** Returns the text of a file as a report reads it. */
async function inPieces(name: string, bytes: Buffer) {
  const pieces = await unpackPieces(name, bytes);
  return pieces && textOf(pieces);
}

test("both readers detect every changed or missing byte of a packed file", async () => {
  const text = events.slice(0, 40).map(formatEvent).join("");
  const packed = packText(text);
  expect(unpackText("day.br", packed)).toBe(text);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(packed.length - 1),
      fc.integer({ min: 1, max: 255 }),
      async (place, flip) => {
        const wrong = Buffer.from(packed);
        wrong.writeUInt8(wrong.readUInt8(place) ^ flip, place);
        const read = unpackText("day.br", wrong);
        expect([text, undefined]).toContain(read);
        expect(await inPieces("day.br", wrong)).toBe(read);
        const cut = packed.subarray(0, place);
        expect(unpackText("day.br", cut)).toBe(undefined);
        expect(await inPieces("day.br", cut)).toBe(undefined);
      },
    ),
    { numRuns: 300 },
  );
});

test("a file of many pieces is read like one that is unpacked at once", async () => {
  for (const lines of [0, 1, 1000, 2048]) {
    const text = `${"é".repeat(31)}\n`.repeat(lines);
    expect(await inPieces("day.br", packText(text))).toBe(text);
    const zipped = gzipSync(text);
    expect(await inPieces("day.gz", zipped)).toBe(text);
    expect(await inPieces("day.gz", zipped.subarray(0, -1))).toBe(undefined);
  }
});

test("if a process is killed before it removes the old file, its events exist twice and count once", async () => {
  await using temp = await tempDir();
  const dir = join(temp.path, "events");
  await mkdir(dir);
  const old = gzipSync(formatEvent(titled("old")));
  await writeFile(join(dir, `${DAY}.ndjson.gz`), old);
  const store = folderStore(dir);
  const save = (title: string) =>
    store.update((files) => withEvents(files, [titled(title)]), title);
  await save("new");
  expect(await readdir(dir)).toEqual([`${DAY}.ndjson.br`]);
  await writeFile(join(dir, `${DAY}.ndjson.gz`), old);
  expect(titles(mergeEvents((await readEvents(store)).events))).toEqual([
    "new",
  ]);
  await writeFile(join(dir, `${DAY}.ndjson.br.new`), "half");
  await save("newest");
  expect(await readdir(dir)).toEqual([`${DAY}.ndjson.br`]);
  const text = unpackText(
    "day.br",
    await readFile(join(dir, `${DAY}.ndjson.br`)),
  );
  expect(titles(parseEvents(text ?? "").events).at(-1)).toBe("newest");
});
