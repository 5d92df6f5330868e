import { describe, expect, test } from "@jest/globals";
import { type Member, readCatalogs } from "@skein/versions";
import { alignVersions } from "./align.js";
import { coverFolders } from "./cover.js";
import { decideLinks } from "./links.js";
import { findPhantoms, type Use } from "./phantoms.js";
import { isUnshipped } from "./survey.js";

type Ranges = Readonly<Record<string, string>>;

function member(
  name: string,
  dependencies: Ranges = {},
  more: { readonly version?: string; readonly peers?: Ranges } = {},
): Member {
  const list = (ranges: Ranges, field: "dependencies" | "peerDependencies") =>
    Object.entries(ranges).map(([ident, range]) => ({ ident, range, field }));
  return {
    name,
    dir: `packages/${name}`,
    version: more.version,
    dependencies: [
      ...list(dependencies, "dependencies"),
      ...list(more.peers ?? {}, "peerDependencies"),
    ],
  };
}

test.each([
  [["packages/*"], ["packages/lib"], { kind: "covered" }],
  [["packages/**"], ["packages/a/lib"], { kind: "covered" }],
  [["packages/*"], ["libs/a"], { kind: "extend", globs: ["libs/a"] }],
  [[], ["libs/[a]"], { kind: "extend", globs: [String.raw`libs/\[a\]`] }],
  [
    ["packages/*", "!packages/old-*"],
    ["packages/old-x"],
    { kind: "excluded", dir: "packages/old-x", glob: "!packages/old-*" },
  ],
])("globs %j and the folders %j: %j", (globs, dirs, expected) => {
  expect(coverFolders(globs, dirs)).toEqual(expected);
});

describe("links", () => {
  const home = {
    versions: new Map([["@home/other", "3.1.0"]]),
    catalogRange: (ident: string, range: string) =>
      range === "catalog:" && ident === "zod" ? "^3.0.0" : undefined,
  };
  const decide = (residents: readonly Member[], newcomers: readonly Member[]) =>
    decideLinks({ residents, newcomers, home }).changes.map(
      ({ member: { name }, ident, from, to, why }) =>
        `${name}: ${ident} ${from} -> ${to} ${why.kind}`,
    );
  const lib = (dependencies: Ranges = {}) =>
    member("lib", dependencies, { version: "2.0.0" });
  const app = (dependencies: Ranges = {}) =>
    member("app", dependencies, { version: "1.0.0" });

  test.each<[string, Ranges, Ranges, readonly string[]]>([
    [
      "a range that matches",
      { lib: "^2.0.0" },
      {},
      ["app: lib ^2.0.0 -> workspace:^ published"],
    ],
    [
      "a range that does not",
      { lib: "^1.2.0" },
      {},
      ["app: lib ^1.2.0 -> workspace:^ break"],
    ],
    [
      "a tag",
      { lib: "latest" },
      {},
      ["app: lib latest -> workspace:^ published"],
    ],
    [
      "with npm:",
      { lib: "npm:^2.0.0" },
      {},
      ["app: lib npm:^2.0.0 -> workspace:^ published"],
    ],
    ["linked already", { lib: "workspace:*" }, {}, []],
    ["another code by its name", { lib: "npm:lib-fork@1" }, {}, []],
    ["a git address", { lib: "github:acme/lib" }, {}, []],
    [
      "a resident's from the newcomer",
      {},
      { app: "^1.0.0" },
      ["lib: app ^1.0.0 -> workspace:^ published"],
    ],
    [
      "a path in the source",
      {},
      { app: "file:../app" },
      ["lib: app file:../app -> workspace:^ path"],
    ],
    [
      "a workspace that stays behind",
      {},
      { "@home/other": "workspace:^" },
      ["lib: @home/other workspace:^ -> ^3.1.0 left-behind"],
    ],
    [
      "one of a fixed range",
      {},
      { "@home/x": "workspace:^1.0.0" },
      ["lib: @home/x workspace:^1.0.0 -> ^1.0.0 left-behind"],
    ],
    [
      "a catalog in the source",
      {},
      { zod: "catalog:" },
      ["lib: zod catalog: -> ^3.0.0 catalog"],
    ],
  ])("%s", (_, residents, newcomers, expected) => {
    expect(decide([app(residents)], [lib(newcomers)])).toEqual(expected);
  });

  test("ranges that can't be fixed are reported as lost, and peers are reported", () => {
    const { lost, peerBreaks } = decideLinks({
      residents: [app()],
      newcomers: [
        member(
          "lib",
          { "@home/unknown": "workspace:*", yup: "catalog:" },
          { peers: { app: "^2.0.0" } },
        ),
      ],
      home,
    });
    expect(lost.map(({ ident, range }) => `${ident} ${range}`)).toEqual([
      "@home/unknown workspace:*",
      "yup catalog:",
    ]);
    expect(peerBreaks).toMatchObject([
      { ident: "app", range: "^2.0.0", version: "1.0.0" },
    ]);
  });
});

describe("one version policy", () => {
  const residents = [
    member("a", { x: "^1.2.0", y: "^2.0.0", z: "catalog:", g: "github:a/g" }),
    member("b", { x: "^1.2.0", w: "^0.3.0" }),
    member("c", { x: "^1.9.0" }),
    member("d", { v: ">=1 <6", o: ">=1 <6" }),
    member("e", { v: ">=1 <6" }),
    member("f", { v: "^4.0.0" }),
  ];
  const catalogs = readCatalogs(
    "catalog:\n  z: ^3.3.0\n  q: ^7.0.0\ncatalogs:\n  old:\n    z: ^4.0.0\n",
  );
  const decide = (
    ident: string,
    range: string,
    policy: "conform" | "keep" | "highest" = "conform",
    resolved?: string,
  ) =>
    alignVersions({
      residents,
      newcomers: [member("lib", { [ident]: range })],
      catalogs,
      policy,
      resolved: () => resolved,
    }).alignments.map(({ verdict, to }) => `${verdict} ${to}`);

  test.each<
    [
      string,
      string,
      "conform" | "keep" | "highest",
      string | undefined,
      readonly string[],
    ]
  >([
    ["x", "^1.2.0", "conform", undefined, []],
    ["x", "^1.0.0", "conform", undefined, ["aligned ^1.2.0"]],
    ["x", "^1.5.0", "conform", undefined, ["aligned-outside ^1.2.0"]],
    ["x", "^1.5.0", "conform", "1.6.0", ["aligned ^1.2.0"]],
    ["x", "^2.0.0", "conform", undefined, ["debt catalog:lib"]],
    ["x", "*", "conform", undefined, ["aligned ^1.2.0"]],
    ["x", "latest", "conform", undefined, ["aligned ^1.2.0"]],
    ["x", "github:a/x", "conform", undefined, ["special github:a/x"]],
    ["g", "^1.0.0", "conform", undefined, ["special ^1.0.0"]],
    ["w", "^0.4.0", "conform", undefined, ["debt catalog:lib"]],
    ["z", "^3.0.0", "conform", undefined, ["aligned catalog:"]],
    ["z", "^4.0.0", "conform", undefined, ["debt catalog:old"]],
    ["q", "^7.0.0", "conform", undefined, ["aligned catalog:"]],
    ["nobody", "^1.0.0", "conform", undefined, []],
    // A range without an operator of its own never becomes the common version.
    ["v", "^4.2.0", "conform", undefined, ["aligned-outside ^4.0.0"]],
    ["o", "^1.0.0", "conform", undefined, ["aligned >=1 <6"]],
    ["x", "^1.0.0", "keep", undefined, ["kept ^1.0.0"]],
    ["x", "^1.3.0", "highest", undefined, ["kept ^1.3.0"]],
    ["x", "^2.0.0", "highest", undefined, ["debt catalog:lib"]],
    ["x", "^2.0.0", "keep", undefined, ["kept ^2.0.0"]],
    ["y", "^1.0.0", "highest", undefined, ["debt ^2.0.0"]],
  ])(
    "%s %s, %s, resolved to %s: %j",
    (ident, range, policy, resolved, expected) => {
      expect(decide(ident, range, policy, resolved)).toEqual(expected);
    },
  );

  test("without catalogs, a different major stays in the manifest", () => {
    const { alignments } = alignVersions({
      residents,
      newcomers: [member("lib", { x: "^2.0.0" })],
      catalogs: readCatalogs(""),
      policy: "conform",
      resolved: () => undefined,
    });
    expect(alignments).toMatchObject([{ verdict: "debt", to: "^2.0.0" }]);
    expect(alignments[0]).not.toHaveProperty("catalog");
  });

  test("two newcomers with the same debt share its catalog, and one with another range gets its own", () => {
    const { alignments } = alignVersions({
      residents,
      newcomers: [
        member("@acme/lib", { x: "^2.0.0" }),
        member("other", { x: "^2.0.0" }),
        member("@other/lib", { x: "^3.0.0" }),
      ],
      catalogs,
      policy: "conform",
      resolved: () => undefined,
    });
    expect(
      alignments.map(({ to, catalog }) => `${to} ${catalog?.isNew}`),
    ).toEqual(["catalog:lib true", "catalog:lib false", "catalog:lib-2 true"]);
  });

  test("a workspace that uses the newcomer with a different version of its peer is reported", () => {
    const { peers } = alignVersions({
      residents: [
        ...residents,
        member("d", { lib: "workspace:^", x: "^3.0.0" }),
        member("e", { lib: "workspace:^", x: "^1.9.0" }),
      ],
      newcomers: [member("lib", {}, { peers: { x: "^1.0.0" } })],
      catalogs,
      policy: "conform",
      resolved: () => undefined,
    });
    expect(peers).toMatchObject([{ ident: "x", theirs: "^3.0.0", by: "d" }]);
  });

  test("peers are never rewritten; only their intersection is checked", () => {
    const decided = alignVersions({
      residents,
      newcomers: [
        member("lib", {}, { peers: { x: "^1.0.0", y: "^1.0.0", z: "^3" } }),
      ],
      catalogs,
      policy: "conform",
      resolved: () => undefined,
    });
    expect(decided.alignments).toEqual([]);
    expect(decided.peers).toMatchObject([
      { ident: "y", range: "^1.0.0", theirs: "^2.0.0", users: 1 },
    ]);
  });
});

describe("phantoms", () => {
  const lib = member("lib", { known: "1", "@types/typed": "1" });
  const find = (uses: readonly (Pick<Use, "name" | "kind"> & Partial<Use>)[]) =>
    findPhantoms({
      uses: uses.map((use) => ({
        line: 1,
        file: "packages/lib/a.ts",
        member: lib,
        isDevelopment: false,
        ...use,
      })),
      members: new Set(["app"]),
      hoisted: (ident) =>
        (
          {
            old: "1.2.3",
            beta: "2.0.0-rc.1",
            "@types/dom": "1.0.0",
          } as Ranges
        )[ident],
      sourceRoot: new Map([["jest", "^29.0.0"]]),
      workspaceRange: (ident) => (ident === "here" ? "^5.0.0" : undefined),
      isLocal: (_, name) => name === "utils",
    }).map(({ ident, found }) =>
      found.kind === "declare"
        ? `${found.field} ${ident} ${found.range} ${found.because}`
        : `unknown ${ident}`,
    );

  test.each<[Partial<Use> & Pick<Use, "name" | "kind">, readonly string[]]>([
    [{ name: "old", kind: "require" }, ["dependencies old ^1.2.3 own-lock"]],
    [
      { name: "beta", kind: "import" },
      ["dependencies beta 2.0.0-rc.1 own-lock"],
    ],
    [
      { name: "old", kind: "import", isDevelopment: true },
      ["devDependencies old ^1.2.3 own-lock"],
    ],
    [{ name: "old", kind: "type" }, ["devDependencies old ^1.2.3 own-lock"]],
    [
      { name: "dom", kind: "type" },
      ["devDependencies @types/dom ^1.0.0 own-lock"],
    ],
    [{ name: "jest", kind: "mock" }, ["dependencies jest ^29.0.0 source-root"]],
    [{ name: "here", kind: "import" }, ["dependencies here ^5.0.0 workspace"]],
    [{ name: "app", kind: "import" }, ["dependencies app workspace:^ member"]],
    [{ name: "nowhere", kind: "import" }, ["unknown nowhere"]],
    [{ name: "nowhere", kind: "extends" }, []],
    [{ name: "old", kind: "extends" }, ["dependencies old ^1.2.3 own-lock"]],
    [{ name: "known", kind: "import" }, []],
    [{ name: "typed", kind: "type" }, []],
    [{ name: "lib", kind: "import" }, []],
    [{ name: "fs", kind: "require" }, []],
    [{ name: "@/alias", kind: "import" }, []],
    [{ name: "utils", kind: "import" }, []],
    [{ name: "old", kind: "path-string" }, []],
  ])("%j: %j", (use, expected) => {
    expect(find([use])).toEqual(expected);
  });

  test("one entry for many places", () => {
    expect(
      find([
        { name: "old", kind: "import", isDevelopment: true },
        { name: "old", kind: "import" },
      ]),
    ).toEqual(["dependencies old ^1.2.3 own-lock"]);
  });
});

test.each([
  ["src/index.ts", false],
  ["index.js", false],
  ["lib/examples.js", false],
  ["src/scripts/run.ts", false],
  ["examples/a.js", true],
  ["scripts/build.mjs", true],
  ["src/a.test.ts", true],
  ["Gruntfile.js", true],
  [".storybook/main.ts", true],
])("%s is used only for development of the package: %s", (path, expected) => {
  expect(isUnshipped(path)).toBe(expected);
});
