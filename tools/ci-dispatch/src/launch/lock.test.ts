import { afterAll, expect, test } from "@jest/globals";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suiteDir } from "@skein/testing";
import { draftOf, takeLock, type Holder } from "./lock.js";

const dir = await suiteDir(afterAll);
let count = 0;

const holder = (owner: string, more: Partial<Holder> = {}): Holder => ({
  owner,
  pid: 1,
  host: "here",
  ...more,
});
const file = () => join(dir, `state-${count++}`);
const dead = () => false;
const alive = () => true;

test("only one process has the lock, until it releases it", async () => {
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
    "runs on another machine",
    holder("a", { host: "there" }),
    dead,
    "process 1 of there",
  ],
])(
  "the lock of a holder that %s isn't taken over",
  async (_, first, isAlive, words) => {
    const at = file();
    await takeLock(at, first, isAlive);
    await expect(
      takeLock(at, holder("b", { pid: 2 }), isAlive),
    ).rejects.toThrow(words);
    expect(await readFile(`${at}.lock`, "utf8")).toContain('"owner":"a"');
  },
);

test.each([
  ["an incomplete one", '{"owner":"a"'],
  ["an owner that isn't a name", '{"owner":"../a","pid":1,"host":"here"}'],
])(
  "a lock that ci-dispatch didn't write isn't taken over: %s",
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

test("one of many processes takes over a stale lock, and removes the draft of its holder", async () => {
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
  const name = at.slice(dir.length + 1);
  const left = await readdir(dir);
  expect(left.filter((each) => each.startsWith(name))).toEqual([
    `${name}.lock`,
  ]);
});

test("a restarted container takes over the lock with its own process id", async () => {
  const at = file();
  await takeLock(at, holder("before"), alive);
  await (await takeLock(at, holder("again"), alive)).check();
});
