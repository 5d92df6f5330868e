import { expect, test } from "@jest/globals";
import { json } from "@skein/testing";
import { readNpm } from "./npm.js";
import type { OwnLock } from "./own-lock.js";
import { readPnpm } from "./pnpm.js";
import { readYarn } from "./yarn.js";

const tar = (name: string, version: string) =>
  `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, "")}-${version}.tgz`;

/** The same project in every format: `a` needs `b@^2`; the project needs `b@^1`, `@s/c` and a git dependency. */
const locks: Readonly<Record<string, () => OwnLock>> = {
  "Yarn 1": () =>
    readYarn(
      `# yarn lockfile v1


"@s/c@~1.0.0":
  version "1.0.3"
  resolved "${tar("@s/c", "1.0.3")}#abc"

a@^1.0.0, a@^1.1.0:
  version "1.2.0"
  resolved "${tar("a", "1.2.0")}#abc"
  dependencies:
    b "^2.0.0"

b@^1.0.0:
  version "1.4.0"
  resolved "${tar("b", "1.4.0")}"

b@^2.0.0:
  version "2.5.0"

"g@git+https://example.com/g.git":
  version "9.0.0"
  resolved "git+https://example.com/g.git#0123"
`,
      "yarn.lock",
    ),
  "Yarn 4": () =>
    readYarn(
      `__metadata:
  version: 8

"@s/c@npm:~1.0.0":
  version: 1.0.3
  resolution: "@s/c@npm:1.0.3::__archiveUrl=https%3A%2F%2Fx"

"a@npm:^1.0.0, a@npm:^1.1.0":
  version: 1.2.0
  resolution: "a@npm:1.2.0"

"b@npm:^1.0.0":
  version: 1.4.0
  resolution: "b@npm:1.4.0"

"b@npm:^2.0.0":
  version: 2.5.0
  resolution: "b@npm:2.5.0"

"g@https://example.com/g.git":
  version: 9.0.0
  resolution: "g@https://example.com/g.git#commit=0123"

"root@workspace:.":
  version: 0.0.0-use.local
  resolution: "root@workspace:."
`,
      "yarn.lock",
    ),
  "npm 7 and newer": () =>
    readNpm(
      json({
        lockfileVersion: 3,
        packages: {
          "": {
            dependencies: { a: "^1.0.0", b: "^1.0.0", g: "example/g" },
            devDependencies: { "@s/c": "~1.0.0" },
          },
          "node_modules/@s/c": {
            version: "1.0.3",
            resolved: tar("@s/c", "1.0.3"),
          },
          "node_modules/a": { version: "1.2.0", dependencies: { b: "^2.0.0" } },
          "node_modules/a/node_modules/b": { version: "2.5.0" },
          "node_modules/b": { version: "1.4.0" },
          "node_modules/g": {
            version: "9.0.0",
            resolved: "git+ssh://x/g.git#0123",
          },
          "packages/w": { version: "1.0.0", dependencies: { a: "^1.1.0" } },
          "node_modules/w": { link: true, resolved: "packages/w" },
        },
      }),
      "package-lock.json",
      {},
    ),
  "npm 6": () =>
    readNpm(
      json({
        lockfileVersion: 1,
        dependencies: {
          "@s/c": { version: "1.0.3", resolved: tar("@s/c", "1.0.3") },
          a: {
            version: "1.2.0",
            requires: { b: "^2.0.0" },
            dependencies: { b: { version: "2.5.0" } },
          },
          b: { version: "1.4.0" },
          x: { version: "1.0.0", requires: { a: "^1.1.0" } },
          g: { version: "git+ssh://x/g.git#0123" },
        },
      }),
      "package-lock.json",
      {
        dependencies: { a: "^1.0.0", b: "^1.0.0" },
        devDependencies: { "@s/c": "~1.0.0" },
      },
    ),
};

test.each(Object.entries(locks))("%s", (_, read) => {
  const { versions, descriptors, hoisted } = read();
  expect(
    [...versions]
      .filter(([ident]) => ident !== "x")
      .map(([ident, set]) => `${ident} ${[...set].sort().join(" ")}`)
      .sort(),
  ).toEqual(["@s/c 1.0.3", "a 1.2.0", "b 1.4.0 2.5.0"]);
  expect(
    [...descriptors].map(([key, version]) => `${key} ${version}`).sort(),
  ).toEqual([
    "@s/c@~1.0.0 1.0.3",
    "a@^1.0.0 1.2.0",
    "a@^1.1.0 1.2.0",
    "b@^1.0.0 1.4.0",
    "b@^2.0.0 2.5.0",
  ]);
  expect(hoisted("a")).toBe("1.2.0");
});

test.each([
  [
    "5",
    `lockfileVersion: 5.4
specifiers:
  a: ^1.0.0
  b: ^1.0.0
dependencies:
  a: 1.2.0_b@1.4.0
  b: 1.4.0
packages:
  /@s/c/1.0.3: {}
  /a/1.2.0_b@1.4.0: {}
  /b/1.4.0: {}
  /b/2.5.0: {}
`,
  ],
  [
    "9",
    `lockfileVersion: '9.0'
importers:
  .:
    dependencies:
      a:
        specifier: ^1.0.0
        version: 1.2.0(b@1.4.0)
      b:
        specifier: ^1.0.0
        version: 1.4.0
      w:
        specifier: workspace:*
        version: link:../w
packages:
  '@s/c@1.0.3': {}
  a@1.2.0: {}
  b@1.4.0: {}
  b@2.5.0: {}
`,
  ],
])("pnpm, lockfileVersion %s", (_, text) => {
  const { versions, descriptors, hoisted } = readPnpm(text, "pnpm-lock.yaml");
  expect(
    [...versions].map(([ident, set]) => `${ident} ${[...set].join(" ")}`),
  ).toEqual(["@s/c 1.0.3", "a 1.2.0", "b 1.4.0 2.5.0"]);
  expect([...descriptors]).toEqual([
    ["a@^1.0.0", "1.2.0"],
    ["b@^1.0.0", "1.4.0"],
  ]);
  expect(hoisted("b")).toBe("1.4.0");
});

test.each([
  [
    "Yarn 1",
    readYarn(
      `# yarn lockfile v1

a@^1.0.0:
  version "1.0.0"
  dependencies:
    c "^2.0.0"
    d "^1.0.0"

b@^1.0.0:
  version "1.0.0"
  dependencies:
    c "^2.0.0"
    d "^2.0.0"

c@^1.0.0:
  version "1.9.0"

c@^2.0.0:
  version "2.1.0"
  optionalDependencies:
    c "^1.0.0"

d@^1.0.0:
  version "1.0.0"

d@^2.0.0:
  version "2.0.0"
`,
      "yarn.lock",
    ),
  ],
  [
    "Yarn 4",
    readYarn(
      `__metadata:
  version: 8

"a@npm:^1.0.0":
  version: 1.0.0
  resolution: "a@npm:1.0.0"
  dependencies:
    c: "npm:^2.0.0"
    d: "npm:^1.0.0"

"b@npm:^1.0.0":
  version: 1.0.0
  resolution: "b@npm:1.0.0"
  dependencies:
    c: "npm:^2.0.0"
    d: "npm:^2.0.0"

"c@npm:^1.0.0":
  version: 1.9.0
  resolution: "c@npm:1.9.0"

"c@npm:^2.0.0":
  version: 2.1.0
  resolution: "c@npm:2.1.0"
  dependencies:
    c: "npm:^1.0.0"

"d@npm:^1.0.0":
  version: 1.0.0
  resolution: "d@npm:1.0.0"

"d@npm:^2.0.0":
  version: 2.0.0
  resolution: "d@npm:2.0.0"
`,
      "yarn.lock",
    ),
  ],
])(
  "of several versions, %s hoists the one that most packages require; for a tie, there is no answer",
  (_, { hoisted }) => {
    expect([hoisted("c"), hoisted("d"), hoisted("a")]).toEqual([
      "2.1.0",
      undefined,
      "1.0.0",
    ]);
  },
);
