import { afterAll, beforeAll, expect, test } from "@jest/globals";
import {
  buildHistory,
  gitIn,
  json,
  rootManifest,
  suiteDir,
  writeFiles,
} from "@skein/testing";
import { misfits } from "../schemas.test.support.js";
import { run } from "./affected.test.kit.js";

const manifest = (name: string, more: object = {}) =>
  json({ name, version: "1.0.0", scripts: { test: "node t.js" }, ...more });

/** The name that the tests compute, from a text in reverse. With another text, they would read other files. */
const computed = (name: string, rest = "") =>
  `const q = Array.from("${Array.from(name).reverse().join("")}").reverse().join(""); const read = require("fs").readFileSync; ${rest}`;

/** Each package reads files in another way. No test reads a file with "two" or "unread" in its name. */
const FILES = {
  "package.json": rootManifest("m"),
  "skein.json": json({ affected: { evidence: "guesses" } }),
  ".gitignore": "node_modules\n",
  "extra/one.json": "{}",
  "extra/two.json": "{}",
  "packages/open/package.json": manifest("open"),
  "packages/open/t.js": computed("one", 'read("../../extra/" + q + ".json");'),
  "packages/both/package.json": manifest("both"),
  "packages/both/t.js": computed("one", 'read("../../extra/" + q + ".json");'),
  "packages/both/u.js": 'read("../../extra/two.json");',
  "packages/far/package.json": manifest("far", {
    dependencies: { open: "workspace:^" },
  }),
  "packages/far/t.js": "",
  "packages/to-p/package.json": manifest("to-p"),
  "packages/to-p/t.js": computed("i.js", 'read("../p/" + q);'),
  "packages/knows-p/package.json": manifest("knows-p"),
  "packages/knows-p/t.js": computed("i.js", 'read("../p/" + q);'),
  "packages/knows-p/u.js": 'read("../p/unread.js");',
  "packages/p/package.json": manifest("p"),
  "packages/p/t.js": "",
  "packages/p/i.js": "",
  "packages/p/unread.js": "",
};

const dir = await suiteDir(afterAll);
beforeAll(async () => {
  buildHistory(dir, [{ files: FILES }]);
  const { exitCode } = await run(where(), "trace", "test", "--all");
  expect(exitCode).toBe(0);
});

const where = () => ({
  cwd: dir,
  env: { PATH: process.env["PATH"] ?? "" },
});

/** Returns the packages that run, and those that need not because of evidence. */
async function select(files: Readonly<Record<string, string>>) {
  await writeFiles(dir, files);
  const { stdout } = await run(
    where(),
    ...["list", "--script", "test", "--since", "HEAD", "--json"],
  );
  gitIn(dir, "checkout", "--quiet", ".");
  gitIn(dir, "clean", "--quiet", "--force");
  const answer = JSON.parse(stdout) as Record<
    "packages" | "leftOut",
    { name: string }[] | undefined
  >;
  expect(misfits("list", answer)).toEqual([]);
  const names = (list: { name: string }[] = []) => list.map((e) => e.name);
  return { run: names(answer.packages), leftOut: names(answer.leftOut) };
}

test("an open end yields, also for dependents; a file that another reference names doesn't", async () => {
  expect(await select({ "extra/two.json": "[]" })).toEqual({
    run: ["both"],
    leftOut: ["far", "open"],
  });
});

test("an open end doesn't yield if the test read the file", async () => {
  expect(await select({ "extra/one.json": "[]" })).toEqual({
    run: ["both", "open"],
    leftOut: ["far"],
  });
});

test("an edge that an open end makes yields; one that another reference makes doesn't", async () => {
  expect(await select({ "packages/p/unread.js": "1" })).toEqual({
    run: ["knows-p", "p"],
    leftOut: ["to-p"],
  });
  expect(await select({ "packages/p/i.js": "1" })).toEqual({
    run: ["knows-p", "p", "to-p"],
    leftOut: [],
  });
});

test("one hard reason is enough", async () => {
  const own = { "packages/open/unread.js": "1", "extra/two.json": "[]" };
  expect(await select(own)).toEqual({
    run: ["both", "far", "open"],
    leftOut: [],
  });
});

test("an unknown program that may read settings yields", async () => {
  expect(await select({ ".eslintrc.js": "" })).toMatchObject({ run: [] });
});
