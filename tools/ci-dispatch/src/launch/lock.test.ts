import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "@skein/testing";
import { draftOf, takeLock } from "./lock.js";
import type { Holder } from "./lock.js";

let dir: Awaited<ReturnType<typeof tempDir>>;
let count = 0;
beforeAll(async () => {
  dir = await tempDir();
});
afterAll(async () => {
  await dir[Symbol.asyncDispose]();
});

const holder = (owner: string, more: Partial<Holder> = {}): Holder => ({
  owner,
  pid: 1,
  host: "here",
  ...more,
});
const file = () => join(dir.path, `state-${count++}`);
const dead = () => false;
const alive = () => true;

test("one at a time; a lock that is let go is free", async () => {
  const at = file();
  const first = await takeLock(at, holder("a"), alive);
  await first.check();
  await expect(
    takeLock(at, holder("b", { pid: 2 }), alive),
  ).rejects.toMatchObject({
    message: "another dispatcher is running this launch: process 1 of here",
    place: { file: `${at}.lock` },
  });
  await first.release();
  const second = await takeLock(at, holder("b", { pid: 2 }), alive);
  await expect(first.check()).rejects.toThrow("process 2 of here");
  // The first owner no longer has the lock, so this has no effect.
  await first.release();
  await second.check();
});

test.each<[string, Holder, (pid: number) => boolean, string]>([
  ["lives", holder("a"), alive, "process 1 of here"],
  [
    "runs where nobody can ask",
    holder("a", { host: "there" }),
    dead,
    "process 1 of there",
  ],
])("a holder that %s is left alone", async (_, first, isAlive, words) => {
  const at = file();
  await takeLock(at, first, isAlive);
  await expect(takeLock(at, holder("b", { pid: 2 }), isAlive)).rejects.toThrow(
    words,
  );
  expect(await readFile(`${at}.lock`, "utf8")).toContain('"owner":"a"');
});

test.each([
  ["half of it", '{"owner":"a"'],
  ["an owner that is no name", '{"owner":"../a","pid":1,"host":"here"}'],
])(
  "a lock that nobody of us has written is left alone: %s",
  async (_, text) => {
    const at = file();
    await writeFile(`${at}.lock`, text);
    await expect(takeLock(at, holder("b"), dead)).rejects.toThrow(
      "another dispatcher is running this launch: one unknown",
    );
    await rm(`${at}.lock`);
    await (await takeLock(at, holder("b"), dead)).check();
  },
);

test("of many that come after a dead one, one relieves it, and removes what it was writing", async () => {
  const at = file();
  await takeLock(at, holder("dead"), dead);
  await writeFile(draftOf(at, "dead"), "half");
  const living = new Set<number>();
  const came = await Promise.allSettled(
    Array.from({ length: 20 }, async (_, index) => {
      const own = holder(`o${index}`, { pid: 100 + index });
      living.add(own.pid);
      return takeLock(at, own, (pid) => living.has(pid));
    }),
  );
  const won = came.filter(({ status }) => status === "fulfilled");
  expect(won).toHaveLength(1);
  for (const each of came)
    if (each.status === "fulfilled") await each.value.check();
  const name = at.slice(dir.path.length + 1);
  const left = await readdir(dir.path);
  expect(left.filter((each) => each.startsWith(name))).toEqual([
    `${name}.lock`,
  ]);
});

test("a container that is started again finds its own id in the lock", async () => {
  const at = file();
  await takeLock(at, holder("before"), alive);
  await (await takeLock(at, holder("again"), alive)).check();
});
