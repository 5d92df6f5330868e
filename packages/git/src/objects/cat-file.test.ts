import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { buildHistory, gitIn, gitTestEnv, suiteDir } from "@skein/testing";
import { BatchParser, openObjects } from "./cat-file.js";
import { openGit } from "../git.js";

const large = randomBytes(3_000_000);

const dir = await suiteDir(afterAll);
beforeAll(() => {
  const many = Array.from({ length: 2000 }, (_, i) => [`many/${i}`, `#${i}`]);
  buildHistory(dir, [
    {
      files: {
        ...(Object.fromEntries(many) as Record<string, string>),
        large,
        empty: "",
        "a b": "spaces",
        header: "0123 blob 4\nnot\n",
      },
      tags: ["v1"],
    },
  ]);
});

const open = (signal?: AbortSignal) =>
  openObjects(
    openGit({ cwd: dir, env: gitTestEnv, ...(signal && { signal }) }),
  );

test("each of thousands of overlapping reads gets its own answer", async () => {
  const objects = open();
  const numbers = Array.from({ length: 2000 }, (_, index) => index);
  const answers = await Promise.all(
    numbers.map((number) => objects.read(`HEAD:many/${number}`)),
  );
  expect(answers.map((answer) => answer?.content.toString())).toEqual(
    numbers.map((number) => `#${number}`),
  );
  objects.close();
});

test("objects of every type and size are read, and missing ones are reported", async () => {
  const objects = open();
  const names = ["HEAD", "HEAD^{tree}", "HEAD:large", "HEAD:empty"];
  const found = await Promise.all(
    [...names, "HEAD:a b", "HEAD:header"].map((name) => objects.read(name)),
  );
  expect(found.map((object) => object?.type)).toEqual([
    "commit",
    "tree",
    "blob",
    "blob",
    "blob",
    "blob",
  ]);
  expect(found[0]?.id).toBe(gitIn(dir, "rev-parse", "HEAD").trim());
  expect(found[2]?.content.equals(large)).toBe(true);
  expect(found.slice(3).map((object) => object?.content.toString())).toEqual([
    "",
    "spaces",
    "0123 blob 4\nnot\n",
  ]);
  for (const name of ["HEAD:nothing", "nothing", "", "-x", "a\nb"])
    expect([name, await objects.read(name)]).toEqual([name, undefined]);
  expect((await objects.read("HEAD:a b"))?.content.toString()).toBe("spaces");
  objects.close();
});

test("a closed reader can be used again", async () => {
  const objects = open();
  await objects.read("v1");
  objects.close();
  expect((await objects.read("v1"))?.type).toBe("commit");
  objects.close();
});

test("readers of one git share a process until the last one is closed", async () => {
  const git = openGit({ cwd: dir, env: gitTestEnv });
  const [one, other] = [openObjects(git), openObjects(git)];
  const both = [one.read("HEAD:large"), other.read("HEAD:a b")];
  one.close();
  expect(
    (await Promise.all(both)).map((found) => found?.content.length),
  ).toEqual([large.length, "spaces".length]);
  one.close();
  // The process sees objects that are created after its start.
  const id = gitIn(dir, "commit-tree", "HEAD^{tree}", "-m", "x").trim();
  expect((await other.read(id))?.type).toBe("commit");
  other.close();
});

test("if git ends, all waiting reads fail", async () => {
  const controller = new AbortController();
  const objects = open(controller.signal);
  await objects.read("v1");
  const waiting = objects.read("HEAD:large");
  controller.abort();
  await expect(waiting).rejects.toThrow("git cat-file --batch");
});

test.each([1, 2, 3, 7, 41, 1000])(
  "answers in pieces of %i bytes are read",
  (size) => {
    const id = "a".repeat(40);
    const bytes = Buffer.from(
      `${id} blob 3\n1\n\n\nnothing missing\n${id} blob 0\n\n${id} tree 60\n${"x".repeat(60)}\n`,
    );
    const found: string[] = [];
    const parser = new BatchParser((object) =>
      found.push(object ? `${object.type} ${object.content.toString()}` : "-"),
    );
    for (let at = 0; at < bytes.length; at += size)
      parser.push(bytes.subarray(at, at + size));
    expect(found).toEqual([
      "blob 1\n\n",
      "-",
      "blob ",
      `tree ${"x".repeat(60)}`,
    ]);
  },
);
