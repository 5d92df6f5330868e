import { describe, expect, test } from "@jest/globals";
import { parseLockfile } from "@skein/workspaces";
import { findMissingPeers, type PeerFacts } from "./missing-peers.js";
import { settleRange } from "./peer-range.js";

interface Wrote {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peers?: Readonly<Record<string, string>>;
  readonly optional?: readonly string[];
}

/** Writes a yarn.lock as Yarn does: `"a@1.0.0"`, or `"lib@workspace:packages/lib"`. */
function lockOf(entries: Readonly<Record<string, Wrote>>) {
  const section = (name: string, map: Readonly<Record<string, string>> = {}) =>
    Object.keys(map).length === 0
      ? ""
      : `  ${name}:\n${Object.entries(map)
          .map(([ident, range]) => `    "${ident}": "${range}"\n`)
          .join("")}`;
  return parseLockfile(
    Object.entries(entries)
      .map(([locator, { dependencies, peers, optional = [] }]) => {
        const at = locator.indexOf("@", 1);
        const reference = locator.slice(at + 1);
        const ident = locator.slice(0, at);
        const spelled = reference.startsWith("workspace:")
          ? locator
          : `${ident}@npm:${reference}`;
        const meta =
          optional.length === 0
            ? ""
            : `  peerDependenciesMeta:\n${optional.map((one) => `    "${one}":\n      optional: true\n`).join("")}`;
        return `"${spelled}":\n  version: 1.0.0\n  resolution: "${spelled}"\n${section("dependencies", dependencies)}${section("peerDependencies", peers)}${meta}  languageName: node\n  linkType: hard\n`;
      })
      .join("\n"),
  );
}

/** Returns one line for each missing peer: `devDependencies p >=1 (own-lock; a@npm:1.0.0)`. */
function missing(
  own: {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
    readonly peerDependencies?: Readonly<Record<string, string>>;
  },
  entries: Readonly<Record<string, Wrote>>,
  more: Partial<PeerFacts> = {},
): readonly string[] {
  const dependencies = (
    ["dependencies", "devDependencies", "peerDependencies"] as const
  ).flatMap((field) =>
    Object.entries(own[field] ?? {}).map(([ident, range]) => ({
      ident,
      range,
      field,
    })),
  );
  return findMissingPeers({
    lock: lockOf({
      "lib@workspace:packages/lib": {
        dependencies: { ...own.dependencies, ...own.devDependencies },
        peers: own.peerDependencies ?? {},
      },
      ...entries,
    }),
    newcomers: [
      { name: "lib", dir: "packages/lib", version: "1.0.0", dependencies },
    ],
    hoisted: undefined,
    workspaceRange: () => undefined,
    ...more,
  }).map(
    ({ field, ident, range, because, asker, heldBy }) =>
      `${field} ${ident} ${range ?? "?"} (${because}; ${asker}${heldBy === undefined ? "" : ` below ${heldBy}`})`,
  );
}

const asks = { "a@1.0.0": { peers: { p: ">=1" } } };

describe("peers that npm would have installed", () => {
  test("a dependency's peer goes to the dependency's field; declared and optional peers are skipped", () => {
    expect(missing({ devDependencies: { a: "1.0.0" } }, asks)).toEqual([
      "devDependencies p >=1 (peer-range; a@npm:1.0.0)",
    ]);
    expect(missing({ dependencies: { a: "1.0.0" } }, asks)).toEqual([
      "dependencies p >=1 (peer-range; a@npm:1.0.0)",
    ]);
    expect(
      missing({ devDependencies: { a: "1.0.0", p: "^1.0.0" } }, asks),
    ).toEqual([]);
    expect(
      missing(
        { devDependencies: { a: "1.0.0" } },
        { "a@1.0.0": { peers: { p: ">=1" }, optional: ["p"] } },
      ),
    ).toEqual([]);
  });

  test("without a lockfile: the version of other dependencies, if it fits", () => {
    const own = { devDependencies: { a: "1.0.0", x: "1.0.0" } };
    const brought = (range: string) => ({
      "a@1.0.0": { peers: { p: range } },
      "x@1.0.0": { dependencies: { p: "5.9.3" } },
      "p@5.9.3": {},
    });
    expect(missing(own, brought(">=1"))).toEqual([
      "devDependencies p ^5.9.3 (below; a@npm:1.0.0)",
    ]);
    expect(missing(own, brought(">=6"))).toEqual([
      "devDependencies p >=6 (peer-range; a@npm:1.0.0)",
    ]);
  });

  test("the package's own peers are added for its tests, and stay peers", () => {
    expect(
      missing(
        { dependencies: { a: "1.0.0" }, peerDependencies: { p: "^2.0.0" } },
        asks,
      ),
    ).toEqual([
      "devDependencies p ^2.0.0 (peer-range; lib@workspace:packages/lib)",
    ]);
  });

  test("peers that are passed on, also by an optional peer; provided on the way; not passed on; in a cycle", () => {
    const handed = (b: Wrote) =>
      missing(
        { devDependencies: { b: "2.0.0" } },
        { ...asks, "b@2.0.0": { dependencies: { a: "1.0.0" }, ...b } },
      );
    expect(handed({ peers: { p: "*" } })).toEqual([
      "devDependencies p * (peer-range; b@npm:2.0.0)",
    ]);
    expect(handed({ peers: { p: "*" }, optional: ["p"] })).toEqual([
      "devDependencies p >=1 (peer-range; a@npm:1.0.0)",
    ]);
    expect(handed({ dependencies: { a: "1.0.0", p: "1.0.0" } })).toEqual([]);
    expect(handed({})).toEqual([
      "devDependencies p >=1 (peer-range; a@npm:1.0.0 below b@npm:2.0.0)",
    ]);
    expect(
      missing(
        { devDependencies: { b: "2.0.0" } },
        {
          "a@1.0.0": {
            dependencies: { b: "2.0.0" },
            peers: { b: "*", p: "*" },
            optional: ["p"],
          },
          "b@2.0.0": { dependencies: { a: "1.0.0" } },
        },
      ),
    ).toEqual([]);
  });

  test("the version: the own lockfile's, or the workspace's if it fits, or else one that all dependents allow", () => {
    const dev = { devDependencies: { a: "1.0.0", b: "1.0.0" } };
    const ranges = (a: string, b: string, more: Partial<PeerFacts> = {}) =>
      missing(
        dev,
        { "a@1.0.0": { peers: { p: a } }, "b@1.0.0": { peers: { p: b } } },
        more,
      ).map((line) => line.replace(/^devDependencies p |; .*/g, ""));
    expect(ranges(">=4.8.4 <6.1.0", ">=5.5.0")).toEqual([
      "<6.1.0 >=5.5.0 (peer-range",
    ]);
    expect(ranges("^4.0.0 || ^5.0.0", "^5.1.0 || ^6.0.0")).toEqual([
      "^5.1.0 (peer-range",
    ]);
    expect(ranges("1.0.0 - 2.0.0", "1.5.0 - 3.0.0")).toEqual([
      "<=2.0.0 >=1.5.0 (peer-range",
    ]);
    expect(ranges("^1.0.0", "^2.0.0")).toEqual(["? (peer-range"]);
    expect(ranges("workspace:^", "^2.0.0")).toEqual(["? (peer-range"]);
    const workspaceRange = () => ({ catalog: "catalog:", range: "^5.6.0" });
    expect(ranges(">=5", "*", { workspaceRange })).toEqual([
      "catalog: (workspace",
    ]);
    expect(ranges(">=6", "*", { workspaceRange })).toEqual([">=6 (peer-range"]);
    expect(ranges(">=5", "*", { hoisted: () => "5.1.0" })).toEqual([
      "^5.1.0 (own-lock",
    ]);
    expect(ranges(">=5", "*", { hoisted: () => "6.0.0-rc.1" })).toEqual([
      "6.0.0-rc.1 (own-lock",
    ]);
    expect(
      ranges(">=5", "*", { hoisted: () => "5.7.0", workspaceRange }),
    ).toEqual(["catalog: (workspace"]);
    // The workspace's range doesn't lie within the required range, but the version that it resolves to does.
    expect(
      missing(
        dev,
        {
          "a@1.0.0": { peers: { p: ">=5.7" } },
          "b@1.0.0": {},
          "p@5.9.0": {},
        },
        { workspaceRange },
      ),
    ).toEqual(["devDependencies p catalog: (workspace; a@npm:1.0.0)"]);
    // The peer was missing in the source, too.
    expect(ranges(">=5", "*", { hoisted: () => undefined })).toEqual([]);
  });
});

test.each([
  [">=5 <6", "5.1.0", "^5.1.0"],
  ["<6.1.0 >=5.5.0", "6.0.2", "~6.0.2"],
  ["1.0.0 - 2.0.0", "2.0.0", "2.0.0"],
  ["*", "18.3.1", "^18.3.1"],
  ["^17 || ^18", "18.3.1", "^18.3.1"],
  [">=5.0.0-rc.1 <6", "5.0.0-rc.2", "5.0.0-rc.2"],
  ["^5.1.0", "5.9.0", "^5.1.0"],
  ["~5.1", "5.1.9", "~5.1"],
])("with the allowed range %s, resolved to %s: %s", (range, version, to) => {
  expect(settleRange(range, version)).toBe(to);
});
