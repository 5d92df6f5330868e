import { createHash } from "node:crypto";
import { expect, test } from "@jest/globals";
import { CommitMap } from "./commit-map.js";

const id = (text: string | number) =>
  createHash("sha1").update(String(text)).digest("hex");

test("a map of thousands of commits finds each, keeps their order, and parses its own output", () => {
  const map = new CommitMap();
  for (let n = 0; n < 5000; n++)
    map.add(id(n), n % 7 === 0 ? undefined : id(`new ${n}`));
  map.add(id(1), id("another"));
  expect(map.size).toBe(5000);
  expect([map.get(id(1)), map.get(id(7)), map.get(id("unknown"))]).toEqual([
    id("new 1"),
    undefined,
    undefined,
  ]);
  expect([map.has(id(7)), map.has(id("unknown"))]).toEqual([true, false]);
  const read = CommitMap.parse(map.print());
  expect([...read]).toEqual(
    Array.from({ length: 5000 }, (_, n) => ({
      old: id(n),
      new: n % 7 === 0 ? undefined : id(`new ${n}`),
    })),
  );
});

test("a text that isn't a map is rejected", () => {
  expect(() => CommitMap.parse(Buffer.from(`${id(1)} x\n`))).toThrow(
    "not a line of a commit map",
  );
});
