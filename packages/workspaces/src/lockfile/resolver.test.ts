import { expect, test } from "@jest/globals";
import { readYarnSettings } from "../catalogs.js";
import { fixtureProject, textOf } from "../memory-files.test.support.js";
import { parseLockfile } from "./parse.js";
import { parseResolutions } from "./resolutions.js";
import { openResolver } from "./resolver.js";

const files = fixtureProject("kinds");
const { resolutions } = files["package.json"] as {
  resolutions: Record<string, string>;
};
const { catalogs } = readYarnSettings(textOf(files, ".yarnrc.yml"));
const lockfile = parseLockfile(textOf(files, "yarn.lock"));
const resolver = openResolver(lockfile, {
  resolutions: parseResolutions(resolutions),
  catalogs,
});

const A = "@m/a@workspace:packages/a";
const CORE = "@m/core@workspace:packages/core";
const ROOT = "root@workspace:.";
const PATCHED =
  "picocolors@patch:picocolors@npm%3A1.1.1#./pc.patch::version=1.1.1&hash=c13a88&locator=root%40workspace%3A.";
const TYPESCRIPT = [
  "typescript@npm:5.4.5",
  "typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=5adc0c",
];
const EVERY_MS = ["ms@npm:2.0.0", "ms@npm:2.1.3", "ms@workspace:packages/miss"];

// Yarn 4.18 had these resolutions when it wrote the lockfile. There are several answers if the text is ambiguous.
test.each<
  [locator: string, ident: string, range: string, resolutions: string[]]
>([
  [CORE, "ms", "npm:^2.1.0", ["ms@npm:2.1.3"]],
  [CORE, "ms", "^2.1.0", ["ms@npm:2.1.3"]],
  [CORE, "ms", "2.1.3", ["ms@npm:2.1.3"]],
  [A, "ms", "catalog:", ["ms@npm:2.1.3"]],
  [CORE, "ms", "catalog:old", ["ms@npm:2.0.0"]],
  [CORE, "ms", "catalog:none", EVERY_MS],
  [CORE, "ms", "^99.0.0", EVERY_MS],
  [A, "ms-old", "npm:ms@2.1.2", ["ms@npm:2.1.2"]],
  [A, "is-odd", "catalog:", ["is-odd@npm:3.0.1"]],
  ["is-odd@npm:3.0.1", "is-number", "npm:^6.0.0", ["is-number@npm:6.0.0"]],
  [
    "@m/peer@workspace:packages/peer",
    "is-number",
    "^4.0.0",
    ["is-number@npm:6.0.0"],
  ],
  [
    A,
    "@m/core",
    "workspace:packages/other",
    ["@m/other@workspace:packages/other"],
  ],
  [
    CORE,
    "core2",
    "workspace:packages/other",
    ["@m/other@workspace:packages/other"],
  ],
  [A, "@m/outer", "^1.0.0", ["@m/outer@workspace:packages/outer"]],
  [A, "clsx", "^2.0.0", ["@m/clsx-fork@workspace:packages/clsx-fork"]],
  [
    A,
    "vend-r",
    "*",
    ["vend-r@portal:./vendor/p::locator=root%40workspace%3A."],
  ],
  [
    "vend-r@portal:./vendor/p::locator=root%40workspace%3A.",
    "@m/core",
    "npm:^1.0.0",
    [CORE],
  ],
  [
    A,
    "vf",
    "file:../../vendor/f",
    [
      "vf@file:../../vendor/f#../../vendor/f::hash=5d4063&locator=%40m%2Fa%40workspace%3Apackages%2Fa",
    ],
  ],
  [A, "picocolors", "^1.0.0", ["picocolors@npm:1.1.1", PATCHED]],
  [ROOT, "typescript", "5.4.5", TYPESCRIPT],
  [A, "left-pad", "^1.0.0", []],
])("%s: %s@%s", (locator, ident, range, expected) => {
  expect(
    resolver
      .entriesFor(locator, [ident, range])
      .map(({ resolution }) => resolution),
  ).toEqual(expected);
});

test("every dependency that Yarn resolved, resolves", () => {
  const lost = lockfile.entries.flatMap(({ resolution, dependencies }) =>
    dependencies
      .filter(
        (dependency) =>
          resolver.entriesFor(resolution, dependency).length === 0,
      )
      .map(([ident, range]) => `${resolution}: ${ident}@${range}`),
  );
  expect(lost).toEqual([]);
});

test.each<
  [rule: string, locator: string, range: string, resolutions: string[]]
>([
  ["is-odd/ms", "is-odd@npm:3.0.1", "npm:2.1.3", ["ms@npm:2.0.0"]],
  ["is-odd/ms", CORE, "npm:2.1.3", ["ms@npm:2.1.3"]],
  ["ms@npm:2.1.3", CORE, "npm:2.1.3", ["ms@npm:2.0.0"]],
  ["ms@2.1.3", CORE, "2.1.3", ["ms@npm:2.0.0"]],
  ["ms@npm:^2.1.0", CORE, "npm:2.1.3", ["ms@npm:2.1.3"]],
  ["ms@npm:^2.1.0", CORE, "catalog:", EVERY_MS],
  ["is-odd@npm:3.0.1/ms", "is-odd@npm:3.0.1", "npm:2.1.3", ["ms@npm:2.0.0"]],
  ["is-odd@3.0.0/ms", "is-odd@npm:3.0.1", "npm:2.1.3", ["ms@npm:2.1.3"]],
  ["ms", CORE, "catalog:", ["ms@npm:2.0.0"]],
])(
  "with the resolution %s: 2.0.0, to %s its ms@%s is",
  (rule, locator, range, expected) => {
    const ruled = openResolver(lockfile, {
      catalogs,
      resolutions: parseResolutions({ [rule]: "2.0.0" }),
    });
    expect(
      ruled
        .entriesFor(locator, ["ms", range])
        .map(({ resolution }) => resolution),
    ).toEqual(expected);
  },
);

test("a percent sign that encodes nothing is a literal percent sign", () => {
  const entry = (descriptor: string) =>
    `\n"${descriptor}":\n  version: 1.0.0\n  resolution: "${descriptor}"\n  languageName: node\n  linkType: hard\n`;
  const odd = openResolver(
    parseLockfile(
      `__metadata:\n  version: 8\n${entry("ms@npm:1.0.0")}${entry("ms@patch:50%#./ms.patch")}`,
    ),
    { resolutions: [], catalogs: new Map() },
  );
  expect(
    odd.entriesFor(CORE, ["ms", "1.0.0"]).map(({ resolution }) => resolution),
  ).toEqual(["ms@npm:1.0.0"]);
});
