import { readdirSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { suiteDir } from "@skein/testing";
import { Store } from "./store.js";

const dir = await suiteDir(afterAll);
let made = 0;

const HOUR = 3_600_000;

function open(name: string, now = () => 100 * HOUR): Store {
  const unique = () => `draft${String(++made)}`;
  return new Store({ dir: join(dir, name), key: undefined, now, unique });
}

const filesIn = (store: Store) =>
  readdirSync(store.folder, { recursive: true, encoding: "utf8" }).filter(
    (name) => statSync(join(store.folder, name)).isFile(),
  );

test("a result is read as it was written, and only its owner can read the file", () => {
  const store = open("plain");
  const key = "ab".repeat(32);
  store.write(key, Buffer.from("one"), []);
  store.write(key, Buffer.from("two"), []);
  expect(store.read(key)).toEqual({ kind: "open", body: Buffer.from("two") });
  expect(store.read("cd".repeat(32))).toBeUndefined();
  expect(filesIn(store)).toEqual([`entries/ab/${key}`]);
  expect(statSync(join(store.folder, "entries/ab", key)).mode & 0o777).toBe(
    0o600,
  );
});

test("empty, shortened and foreign files are not results", () => {
  const store = open("broken");
  const key = "ab".repeat(32);
  store.write(key, Buffer.from("one"), []);
  const file = join(store.folder, "entries/ab", key);
  truncateSync(file, 90);
  expect(store.read(key)).toEqual({ kind: "damaged" });
  truncateSync(file, 0);
  expect(store.read(key)).toEqual({ kind: "damaged" });
  writeFileSync(file, "hello\n");
  expect(store.read(key)).toEqual({ kind: "damaged" });
});

test("concurrent writers of the same content leave one complete file", async () => {
  const file = join(dir, "content");
  writeFileSync(file, "x".repeat(100_000));
  const hashes = await Promise.all(
    Array.from({ length: 8 }, () => open("writers").putFile(file)),
  );
  const [first] = hashes;
  if (!first) throw new Error("nothing was kept");
  expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
  const store = open("writers");
  expect(filesIn(store)).toEqual([
    `blobs/${first.hash.slice(0, 2)}/${first.hash}`,
  ]);
  expect(await store.takeOut(first.hash, first.bytes, join(dir, "out"))).toBe(
    true,
  );
  expect(statSync(join(dir, "out")).size).toBe(100_000);
});

test("a content is written again if its file was cut off", () => {
  const store = open("again");
  const hash = store.putBytes(Buffer.from("content"));
  truncateSync(store.blob(hash), 0);
  expect(store.has(hash, 7)).toBe(false);
  store.putBytes(Buffer.from("content"));
  expect(store.readBlob(hash)?.toString()).toBe("content");
});

test("pruning deletes the least recently used files, and deletes results before their contents", () => {
  let now = 100 * HOUR;
  const store = open("prune", () => now);
  const keys = ["aa", "bb", "cc"].map((part) => part.repeat(32));
  const blobs = keys.map((key) => {
    const blob = store.putBytes(Buffer.from(key.repeat(10)));
    store.write(key, Buffer.from("result"), [blob]);
    now += 2 * HOUR;
    return blob;
  });
  const [a = "", b = "", c = ""] = keys;
  store.use(a, blobs.slice(0, 1));
  const { bytes } = store.size();
  store.prune(bytes - 1);
  expect([a, b, c].map((key) => store.read(key)?.kind)).toEqual([
    "open",
    undefined,
    "open",
  ]);
  expect(blobs.map((hash) => store.has(hash, 640))).toEqual([
    true,
    false,
    true,
  ]);
  expect(store.size()).toMatchObject({ results: 2, files: 4 });
  store.clear();
  expect(store.size()).toEqual({
    results: 0,
    files: 0,
    bytes: 0,
    oldest: undefined,
  });
});

test("drafts of killed programs are deleted after a day", () => {
  const start = statSync(dir).mtimeMs;
  const store = open("drafts", () => start + 48 * HOUR);
  store.putBytes(Buffer.from("content"));
  writeFileSync(join(store.folder, "drafts/killed"), "half");
  store.prune(2 ** 30);
  expect(readdirSync(join(store.folder, "drafts"))).toEqual([]);
});
