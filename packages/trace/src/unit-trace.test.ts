import { expect, test } from "@jest/globals";
import type { Gap } from "./event.js";
import type { Observations } from "./observe.js";
import { Places } from "./place.js";
import { makeTraces, type RecordedUnit } from "./unit-trace.js";

const places = new Places({
  root: "/r/p",
  sources: ["packages/a/a.js", "packages/b/b.js", "link", "seen"],
  private: ["/tmp/run"],
  caches: ["/tmp"],
  repository: "/r",
  git: [],
});

type Given = Partial<Record<keyof Observations, readonly string[]>>;

function recorded(
  id: string,
  given: Given,
  dependsOn: string[] = [],
): RecordedUnit {
  const [workspace = "", script = ""] = id.split("#");
  const set = (name: keyof Observations) => new Set(given[name] ?? []);
  return {
    unit: { id, workspace, dir: `packages/${workspace}`, script, dependsOn },
    passed: true,
    gaps: [],
    observations: {
      ...{ read: set("read"), executed: set("executed"), links: set("links") },
      ...{ followed: set("followed"), ensured: set("ensured") },
      ...{
        missing: set("missing"),
        found: set("found"),
        listed: set("listed"),
      },
      ...{
        changed: set("changed"),
        network: set("network"),
        sockets: set("sockets"),
      },
    },
  };
}

test("sorts the inputs of a unit by their role in the project", () => {
  const [trace] = makeTraces(
    [
      recorded("a#test", {
        read: [
          "/r/p/packages/b/b.js",
          "/r/p/packages/a/a.js",
          "/r/p/node_modules/f/i.js",
          "/usr/lib/x",
          "/tmp/run/1/x",
        ],
        executed: ["/r/p/node_modules/.bin/f", "/usr/bin/env"],
        links: ["/r/p/node_modules/@m/b", "/r/p/link", "/r/p/seen"],
        followed: ["/r/p/link"],
        missing: ["/r/p/packages/a/c.js", "/r/p/node_modules/g", "/etc/no"],
        found: ["/r/p/packages/a", "/r/p/packages/a/a.js", "/r/p/packages"],
        listed: ["/r/p/packages/a"],
      }),
    ],
    places,
  );
  expect(trace).toEqual({
    unit: "a#test",
    workspace: "a",
    script: "test",
    passed: true,
    read: ["packages/a/a.js", "packages/b/b.js"],
    executed: [],
    links: ["link"],
    missing: ["packages/a/c.js"],
    found: ["packages", "packages/a", "seen"],
    listed: ["packages/a"],
    externals: [{ name: "f", folder: "node_modules/f" }],
    linked: ["@m/b"],
    notInstalled: ["g"],
    listsInstalled: false,
    generated: [],
    changed: [],
    gaps: [],
  });
});

test("a folder that an earlier run left, and that the unit would have made", () => {
  const folder = "/r/p/packages/a/node_modules/.tool";
  const gapsOf = (given: Given) =>
    makeTraces([recorded("a#test", given)], places)[0]?.gaps.length;
  expect(gapsOf({ found: [folder], ensured: [folder] })).toBe(0);
  expect(gapsOf({ found: [folder] })).toBe(1);
  // It could see what the earlier run left inside.
  expect(gapsOf({ found: [folder], ensured: [folder], listed: [folder] })).toBe(
    1,
  );
  const file = `${folder}/x`;
  expect(gapsOf({ found: [folder], ensured: [folder], read: [file] })).toBe(1);
});

test("a generated file belongs to the recorded unit that ran before", () => {
  const dist = "/r/p/packages/b/dist/b.js";
  const traces = makeTraces(
    [
      recorded("b#build", { changed: [dist] }),
      recorded("c#build", {}, ["b#build"]),
      recorded("a#test", { read: [dist], found: ["/r/p/packages/b/dist"] }, [
        "c#build",
      ]),
      // This unit doesn't declare that it waits for b.
      recorded("d#test", { read: [dist] }),
    ],
    places,
  );
  expect(traces.map(({ generated, gaps }) => ({ generated, gaps }))).toEqual([
    { generated: [], gaps: [] },
    { generated: [], gaps: [] },
    {
      generated: [
        { path: "packages/b/dist", madeBy: "b#build" },
        { path: "packages/b/dist/b.js", madeBy: "b#build" },
      ],
      gaps: [],
    },
    {
      generated: [{ path: "packages/b/dist/b.js", madeBy: undefined }],
      gaps: [{ kind: "unexplained-file", path: "packages/b/dist" }],
    },
  ]);
});

const gapRows: readonly (readonly [string, Given, readonly Gap[]])[] = [
  [
    "a cache below node_modules",
    { read: ["/r/p/node_modules/.cache/x/1"] },
    [{ kind: "unexplained-file", path: "node_modules/.cache" }],
  ],
  [
    "a cache of the user",
    { read: ["/tmp/jest_x/map"] },
    [{ kind: "unexplained-file", path: "/tmp/jest_x/map" }],
  ],
  [
    "git's own files",
    { read: ["/r/p/.git/HEAD"], found: ["/r/p/.git"] },
    [{ kind: "git", path: ".git/HEAD" }],
  ],
  [
    "a source that was changed",
    { changed: ["/r/p/packages/a/a.js"] },
    [{ kind: "changes-source", path: "packages/a/a.js" }],
  ],
  [
    "the network",
    { network: ["1.2.3.4"] },
    [{ kind: "network", address: "1.2.3.4" }],
  ],
  [
    "another process",
    { sockets: ["/run/docker.sock", "/tmp/run/0/own"] },
    [{ kind: "other-process", address: "/run/docker.sock" }],
  ],
  [
    "a package that another project's lockfile determines",
    { read: ["/node_modules/f/x.js"] },
    [{ kind: "unexplained-file", path: "/node_modules/f" }],
  ],
  [
    "a file of the repository outside of the project",
    { read: ["/r/b.txt"], listed: ["/r/d"], missing: ["/r/c.txt"] },
    [
      { kind: "unexplained-file", path: "../b.txt" },
      { kind: "unexplained-file", path: "../d" },
    ],
  ],
  // `rimraf dist && build` looks at the files that it removes, and doesn't read them.
  [
    "old products that it deletes",
    { found: ["/r/p/packages/a/dist/x"], changed: ["/r/p/packages/a/dist/x"] },
    [],
  ],
];
test.each(gapRows)("%s", (_, given, gaps) => {
  const [trace] = makeTraces([recorded("a#test", given)], places);
  expect(trace?.gaps).toEqual(gaps);
});

test.each([
  ["/r/p/node_modules", true],
  ["/r/p/node_modules/@m", true],
  ["/r/p/packages/b/node_modules", true],
  // Its entry in yarn.lock has what is installed there.
  ["/r/p/packages/a/node_modules", false],
  ["/r/p/packages/a", false],
  ["/r/p/node_modules/.store", true],
  ["/r/p/node_modules/.store/f-npm-1.0.0-0a1b/package/lib", false],
])(
  "detects in %s whether a unit read names of installed packages",
  (folder, lists) => {
    const [trace] = makeTraces(
      [recorded("a#test", { listed: [folder] })],
      places,
    );
    expect(trace?.listsInstalled).toBe(lists);
  },
);
