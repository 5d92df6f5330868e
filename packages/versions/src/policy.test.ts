import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { json, tempDir, writeFiles } from "@skein/testing";
import fc from "fast-check";
import { readCatalogs, type Member } from "./members.js";
import { POLICY_FILE, POLICY_TEXT } from "./constraints-text.js";
import { findViolations } from "./policy.js";

type Ranges = Readonly<Record<string, string>>;
const FIELDS = ["dependencies", "devDependencies", "peerDependencies"] as const;
type Specs = Readonly<
  Record<string, Partial<Record<(typeof FIELDS)[number], Ranges>>>
>;

const membersOf = (specs: Specs): readonly Member[] =>
  Object.entries(specs).map(([name, fields]) => ({
    name,
    dir: `packages/${name}`,
    version: "1.0.0",
    dependencies: FIELDS.flatMap((field) =>
      Object.entries(fields[field] ?? {}).map(([ident, range]) => ({
        ident,
        range,
        field,
      })),
    ),
  }));

const deps = (...ranges: readonly string[]): Specs =>
  Object.fromEntries(
    ranges.map((range, index) => [`p${index}`, { dependencies: { x: range } }]),
  );

const decide = (specs: Specs, catalogs = "", ownVersions = {}) =>
  findViolations({
    members: membersOf(specs),
    catalogs: readCatalogs(catalogs),
    ownVersions,
  }).map(
    ({ member, range, wanted, isMajor }) =>
      `${member.name}: ${range} -> ${wanted}${isMajor ? " (major)" : ""}`,
  );

test.each<[string, Specs, readonly string[]]>([
  ["one range", deps("^1.0.0", "^1.0.0"), []],
  [
    "the newest range decides",
    deps("^1.0.0", "^1.2.0", "^1.1.9"),
    ["p0: ^1.0.0 -> ^1.2.0", "p2: ^1.1.9 -> ^1.2.0"],
  ],
  [
    "a different major is marked",
    deps("^1.0.0", "^2.0.0"),
    ["p0: ^1.0.0 -> ^2.0.0 (major)"],
  ],
  [
    "below 1.0.0, a different minor is a breaking change",
    deps("^0.1.0", "^0.2.0"),
    ["p0: ^0.1.0 -> ^0.2.0 (major)"],
  ],
  [
    "of equal ranges, the less strict one decides",
    deps("1.0.0", "^1.0.0", "~1.0.0"),
    ["p0: 1.0.0 -> ^1.0.0", "p2: ~1.0.0 -> ^1.0.0"],
  ],
  [
    "a release is newer than its candidate",
    deps("^2.0.0-rc.10", "^2.0.0-rc.9", "^2.0.0"),
    ["p0: ^2.0.0-rc.10 -> ^2.0.0", "p1: ^2.0.0-rc.9 -> ^2.0.0"],
  ],
  [
    "a compound range must conform and never decides",
    deps(">=9", "*", "^1.0.0"),
    ["p0: >=9 -> ^1.0.0 (major)", "p1: * -> ^1.0.0 (major)"],
  ],
  [
    "ranges that aren't semver are ignored",
    deps("^1.0.0", "github:a/b", "patch:x@1#./p", "file:../x", "latest"),
    [],
  ],
  ["a named catalog is meant", deps("^1.0.0", "catalog:old"), []],
  [
    "peers are ignored",
    {
      a: { dependencies: { x: "^2.0.0" } },
      b: { peerDependencies: { x: "^1.0.0" } },
    },
    [],
  ],
  [
    "workspaces aren't external dependencies",
    {
      a: { dependencies: { b: "workspace:^" } },
      b: {},
      c: { dependencies: { b: "^1.0.0" } },
    },
    [],
  ],
])("%s", (_, specs, expected) => expect(decide(specs)).toEqual(expected));

const CATALOGS = "catalog:\n  x: ^3.0.0\ncatalogs:\n  old:\n    x: ^1.0.0\n";

test("the default catalog takes precedence, and peers name no catalog", () => {
  const specs = {
    ...deps("^3.0.0", "catalog:", "catalog:old", "^4.0.0"),
    p4: { peerDependencies: { x: "catalog:" } },
    p5: { peerDependencies: { x: "catalog:old" } },
  };
  expect(decide(specs, CATALOGS)).toEqual([
    "p0: ^3.0.0 -> catalog:",
    "p3: ^4.0.0 -> catalog: (major)",
    "p4: catalog: -> ^3.0.0",
    "p5: catalog:old -> ^1.0.0",
  ]);
});

test("dependencies in skein.json may differ, and don't decide the version of others", () => {
  const specs = deps("^1.0.0", "^9.0.0", "^1.1.0");
  expect(decide(specs, "", { "p1*": ["x"] })).toEqual(["p0: ^1.0.0 -> ^1.1.0"]);
});

const range = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "^", "~", "npm:^", ">=", "v"),
      fc.array(fc.nat(2), { minLength: 1, maxLength: 3 }),
      fc.constantFrom("", "", "-rc.1", "-rc.10", "-beta", "-1", "+b1"),
    )
    .map(
      ([sign, numbers, end]) =>
        `${sign}${numbers.join(".")}${numbers.length === 3 ? end : ""}`,
    ),
  fc.constantFrom(
    "*",
    "1.x",
    "^1 || ^2",
    ">=1 <3",
    "catalog:",
    "catalog:old",
    "workspace:^",
    "latest",
    "link:./x",
  ),
);
const specs = fc.dictionary(
  fc.constantFrom("@a/p", "@a/q", "r", "x"),
  fc.record(
    Object.fromEntries(
      FIELDS.map((field) => [
        field,
        fc.dictionary(fc.constantFrom("x", "y", "@z/z"), range, { maxKeys: 3 }),
      ]),
    ) as Record<(typeof FIELDS)[number], fc.Arbitrary<Ranges>>,
    { requiredKeys: [] },
  ),
  { minKeys: 1 },
);
const yarnrc = fc.constantFrom(
  "",
  CATALOGS,
  'nodeLinker: pnp\ncatalog:\n  "@z/z": "^1.0.0" \n  y: 2.0.0\n',
);
const skein = fc.constantFrom(undefined, {
  migrate: { ownVersions: { "@a/*": ["x"], r: ["y"] } },
});

/** Runs the constraints as Yarn would, for many projects in one process. */
const RUNNER = `
  const { readdirSync, readFileSync } = require("node:fs");
  const answers = readdirSync(".").filter((name) => /^\\d+$/.test(name)).sort((a, b) => a - b).map((name) => {
    const specs = JSON.parse(readFileSync(name + "/specs.json", "utf8"));
    const workspaces = Object.keys(specs).map((ident) => ({ ident }));
    const updates = [];
    const dependencies = workspaces.flatMap((workspace) =>
      ["dependencies", "devDependencies", "peerDependencies"].flatMap((type) =>
        Object.entries(specs[workspace.ident][type] ?? {}).map(([ident, range]) => ({
          workspace, ident, range, type,
          update: (to) => { if (to !== range) updates.push([workspace.ident, type, ident, to].join(" ")); },
        }))));
    require(process.cwd() + "/" + name + "/${POLICY_FILE}").oneVersion({
      Yarn: { workspaces: () => workspaces, dependencies: () => dependencies },
    });
    return updates;
  });
  console.log(JSON.stringify(answers));
`;

test("the written constraints and the check agree on every workspace", async () => {
  await using dir = await tempDir();
  const cases = fc.sample(fc.tuple(specs, yarnrc, skein), {
    numRuns: 300,
    seed: 7,
  });
  await writeFiles(
    dir.path,
    Object.fromEntries(
      cases.flatMap(([all, catalogs, settings], index) => [
        [`${index}/specs.json`, json(all)],
        [`${index}/${POLICY_FILE}`, POLICY_TEXT],
        ...(catalogs === ""
          ? []
          : [[`${index}/.yarnrc.yml`, catalogs] as const]),
        ...(settings ? [[`${index}/skein.json`, json(settings)] as const] : []),
      ]),
    ),
  );
  await writeFile(join(dir.path, "run.cjs"), RUNNER);
  const answers = JSON.parse(
    execFileSync(process.execPath, ["run.cjs"], {
      cwd: dir.path,
      encoding: "utf8",
    }),
  ) as string[][];
  const ours = cases.map(([all, catalogs, settings]) =>
    findViolations({
      members: membersOf(all),
      catalogs: readCatalogs(catalogs),
      ownVersions: settings?.migrate.ownVersions ?? {},
    }).map(({ member, field, ident, wanted }) =>
      [member.name, field, ident, wanted].join(" "),
    ),
  );
  expect(answers).toEqual(ours);
  expect(ours.flat().length).toBeGreaterThan(100);
});
