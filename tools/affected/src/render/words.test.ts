import { expect, test } from "@jest/globals";
import type { Reason } from "@skein/workspaces";
import { reasonWords } from "./words.js";

test.each([
  [["ms@npm:2.1.2"], "yarn.lock: ms@npm:2.1.2 -> ms@npm:2.1.3"],
  [
    ["ms@npm:2.0.0", "ms@npm:2.1.2"],
    "yarn.lock: ms@npm:2.0.0, ms@npm:2.1.2 -> ms@npm:2.1.3",
  ],
  [["ms@npm:2.1.3"], "yarn.lock: ms@npm:2.1.3 changed"],
  [[], "yarn.lock: ms@npm:2.1.3 is new"],
])("describes %j", (before, words) => {
  expect(
    reasonWords({
      kind: "lockfile",
      change: { before, after: "ms@npm:2.1.3" },
    }),
  ).toBe(words);
});

test.each<[reason: Reason, words: string]>([
  [
    {
      kind: "looked-up-file",
      path: "jest.config.js",
      role: "Jest's settings",
      script: "test",
      program: "jest",
      isKnown: true,
      testOnly: true,
    },
    "jest.config.js (Jest's settings); the script test runs jest, which looks it up; dependents are not affected",
  ],
  [
    {
      kind: "looked-up-file",
      path: "config/x.js",
      by: "babel.config.js",
      role: "Babel's settings",
      script: "build",
      program: "make",
      isKnown: false,
    },
    "config/x.js, used by babel.config.js (Babel's settings); the script build runs make, which may read it: Skein can't tell what this program reads",
  ],
  [
    {
      kind: "looked-up-file",
      path: "config/x.js",
      by: "babel.config.js",
      via: [{ file: "babel.config.js", line: 3, specifier: "./config/x" }],
      role: "Babel's settings",
      script: "build",
      program: "babel",
      isKnown: true,
    },
    "config/x.js, used by babel.config.js:3 (./config/x) (Babel's settings); the script build runs babel, which looks it up",
  ],
  ...(
    [
      [
        {
          kind: "named",
          referrer: { file: "a/x.js", line: 2, specifier: "ms" },
        },
        "a/x.js:2 names it without declaring it",
      ],
      [{ kind: "peer" }, "the manifest lists it as a peer"],
      [
        { kind: "program", script: "test", program: "ms" },
        "the script test runs ms, which is one of its programs, or may run or load it",
      ],
      [
        { kind: "types", script: "build", program: "tsc" },
        "the script build runs tsc, which loads the root's types",
      ],
    ] as const
  ).map(([use, words]): [Reason, string] => [
    {
      kind: "external",
      change: { before: ["ms@npm:2.1.2"], after: "ms@npm:2.1.3" },
      use,
    },
    `yarn.lock: ms@npm:2.1.2 -> ms@npm:2.1.3; ${words}`,
  ]),
])("describes %j", (reason, words) => expect(reasonWords(reason)).toBe(words));
