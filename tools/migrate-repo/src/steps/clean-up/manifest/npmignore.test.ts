import { expect, test } from "@jest/globals";
import { gitIn, json } from "@skein/testing";
import { buildPair, historyOnly, migrate } from "../../../migrate.test.kit.js";
import { buildOutputs } from "./build-outputs.js";
import { asFilesField } from "./files-field.js";

const others = historyOnly.filter((id) => id !== "npmignore");

const manifest = { name: "@acme/lib", version: "1.4.0", main: "dist/index.js" };

interface Row {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Returns the new `files`; undefined if `.npmignore` stays. */
  readonly becomes: readonly string[] | undefined;
  readonly says: string;
}

const rows: readonly Row[] = [
  {
    name: "what a build writes is packed as before",
    files: {
      "package.json": json(manifest),
      ".gitignore": "node_modules\n/dist\n.env\n*.log\n",
      ".npmignore": "src\ntest\n",
      "README.md": "lib\n",
      "bin/run.js": "1\n",
      "src/index.ts": "1\n",
      "test/a.js": "1\n",
    },
    becomes: ["bin", "dist"],
    says: 'done: packages/lib/.npmignore became "files": npm packs the same 3 files. If they exist, .env, *.log are no longer packed. New files at the top are packed once "files" names them.',
  },
  {
    name: "of a folder only a part",
    files: {
      "package.json": json({ name: "@acme/lib", main: "lib/index.js" }),
      ".npmignore": "*.test.js\n",
      "lib/index.js": "1\n",
      "lib/index.test.js": "1\n",
      "types/index.d.ts": "1\n",
    },
    becomes: ["lib/index.js", "types"],
    says: 'became "files": npm packs the same 3 files.',
  },
  {
    name: "a folder that git ignores and no field names is still packed",
    files: {
      "package.json": json(manifest),
      ".gitignore": "dist\ngenerated\n",
      ".npmignore": "src\n",
      "src/index.ts": "1\n",
    },
    becomes: ["dist", "generated"],
    says: 'became "files": npm packs the same 1 file.',
  },
  {
    name: "compiled files beside their sources cannot be listed",
    files: {
      "package.json": json({ name: "@acme/lib", main: "index.js" }),
      ".gitignore": "*.js\n",
      ".npmignore": "*.ts\n",
      "index.ts": "1\n",
      "util.ts": "1\n",
    },
    becomes: undefined,
    says: 'done: packages/lib/.npmignore stays: no "files" lists the files that a build may write (*.js).',
  },
  {
    name: "a .npmignore in a folder stays, and counts",
    files: {
      "package.json": json({ name: "@acme/lib" }),
      ".npmignore": "test\n",
      "lib/.npmignore": "draft.js\n",
      "lib/draft.js": "1\n",
      "lib/index.js": "1\n",
      "test/a.js": "1\n",
    },
    becomes: ["lib/index.js"],
    says: "the same 2 files.",
  },
];

test.each(rows)("$name", async ({ files, becomes, says }) => {
  await using pair = await buildPair([{ files }]);
  const { code, stdout } = await migrate(pair.target, [
    "add",
    "../lib",
    ...others,
  ]);
  expect(code).toBe(0);
  expect(stdout).toContain(says);
  const here = JSON.parse(
    gitIn(pair.target, "show", "HEAD:packages/lib/package.json"),
  ) as { files?: readonly string[] };
  expect(here.files).toEqual(becomes);
  const tracked = gitIn(pair.target, "ls-files", "packages/lib/.npmignore");
  expect(tracked === "").toBe(becomes !== undefined);
});

test.each([
  ["one folder", ["a/1", "a/2"], ["a/1", "a/2", "b/1"], ["a"]],
  ["a part of one", ["a/1"], ["a/1", "a/2"], ["a/1"]],
  ["what npm packs anyway", ["package.json", "LICENSE.md"], ["x"], undefined],
  ["a name that is a pattern", ["[id].js"], ["[id].js", "b"], undefined],
  [
    "more than anybody writes",
    Array.from({ length: 16 }, (_, at) => `${at}.js`),
    [...Array.from({ length: 16 }, (_, at) => `${at}.js`), "b"],
    undefined,
  ],
])("files: %s", (_, packed, all, expected) => {
  expect(asFilesField(packed, all)).toEqual(expected);
});

test("files that may exist when the package is packed: those in the manifest, and one for each ignored pattern", () => {
  expect(
    buildOutputs(
      {
        main: "./lib/index.js",
        bin: { run: "bin/run" },
        exports: { ".": { import: "./esm/*.mjs", types: "../up.d.ts" } },
      },
      "# no\n!keep\n/dist/\n.env\n**/*.tsbuildinfo\nlib\nsrc\n",
      ["src/index.ts", "bin/run"],
    ),
  ).toEqual([
    "lib/index.js",
    "esm/any-name.mjs",
    "dist/any-name.js",
    ".env",
    "any-name.tsbuildinfo",
    "lib/any-name.js",
    "src/any-name.js",
  ]);
});
