import { describe, expect, test } from "@jest/globals";
import type { MemoryFiles } from "../memory-files.test.support.js";
import {
  fixtureProject,
  memoryFiles,
  thrownBy,
} from "../memory-files.test.support.js";
import type { Project } from "../project.js";
import { readProject } from "../read-project.js";
import { compareLockfiles } from "./compare.js";
import { LockfileError } from "./lockfile.js";
import { isJsonLockfile, parseJsonLockfile } from "./parse-json.js";
import { asOfYarn6 } from "./yarn-6.test.support.js";

async function read(files: MemoryFiles, complete = false): Promise<Project> {
  const project = await readProject(memoryFiles(files), {
    touchedManifests: [],
    complete,
  });
  if (!project) throw new Error("there is a package.json");
  return project;
}

/** Returns the dependencies among packages and on files. Their evidence is written differently. */
function answers({ graph, pathTargets, unmatchedGlobs }: Project) {
  return {
    workspaces: [...graph.workspaces.values()].map(({ name, dir }) => [
      name,
      dir,
    ]),
    edges: [
      ...new Set(graph.edges.map(({ from, to }) => `${from} -> ${to}`)),
    ].toSorted(),
    paths: [
      ...new Set(
        pathTargets.map(({ workspace, path }) => `${workspace} -> ${path}`),
      ),
    ].toSorted(),
    unmatchedGlobs,
  };
}

describe("the graph is the same as for Yarn 4's form", () => {
  test.each(["kinds", "nested"])("of the fixture %s", async (name) => {
    const files = fixtureProject(name);
    const [four, six] = await Promise.all([
      read(files, true),
      read(asOfYarn6(files)),
    ]);
    expect(answers(six)).toEqual(answers(four));
  });
});

const LOCK = (entries: object) =>
  JSON.stringify({ __metadata: { version: 9 }, entries }, null, 2);
const ROOT = { name: "root", workspaces: ["packages/*"] };

describe("workspaces that Yarn 6 omits from its lockfile are found through their dependents", () => {
  const edgesOf = async (files: MemoryFiles) =>
    answers(await read({ "package.json": ROOT, ...files })).edges;
  const a = (dependencies: Record<string, string>) => ({
    "packages/a/package.json": { name: "@m/a", dependencies },
    "packages/b/package.json": { name: "@m/b", version: "1.0.0" },
    "yarn.lock": LOCK({}),
  });

  test.each<[title: string, files: MemoryFiles, edges: string[]]>([
    ["a name behind workspace:", a({ x: "workspace:@m/b" }), ["@m/a -> @m/b"]],
    ["an alias of a workspace", a({ x: "npm:@m/b@^1.0.0" }), ["@m/a -> @m/b"]],
    ["a range of the registry", a({ "@m/b": "^1.0.0" }), ["@m/a -> @m/b"]],
    [
      "a range that the registry answers",
      {
        ...a({ "@m/b": "^0.1.0" }),
        "yarn.lock": LOCK({
          "@m/b@npm:^0.1.0": { resolution: { resolution: "@m/b@npm:0.1.0" } },
        }),
      },
      [],
    ],
    [
      "a range that a workspace answers, written down",
      {
        ...a({ "@m/b": "^1.0.0" }),
        "yarn.lock": LOCK({
          "@m/b@npm:^1.0.0": {
            resolution: { resolution: "@m/b@workspace:@m/b" },
          },
        }),
      },
      ["@m/a -> @m/b"],
    ],
    [
      "a folder whose own dependency is a workspace",
      {
        ...a({ p: "portal:../../vendor/p" }),
        "vendor/p/package.json": {
          name: "p",
          dependencies: { q: "file:../q" },
        },
        "vendor/q/package.json": { name: "q", dependencies: { "@m/b": "*" } },
      },
      ["@m/a -> @m/b"],
    ],
    [
      "a profile that every workspace has, and one that is named",
      {
        ...a({}),
        "packages/b/package.json": { name: "@m/b", extends: ["tools"] },
        "packages/c/package.json": { name: "@m/c" },
        ".yarnrc.yml": `workspaceProfiles:
  default: # of all
    devDependencies:
      "@m/c": "workspace:^"
  tools:
    extends:
      - more
  more:
    devDependencies:
      '@m/a': workspace:*
`,
      },
      ["@m/a -> @m/c", "@m/b -> @m/a", "@m/b -> @m/c", "root -> @m/c"],
    ],
  ])("%s", async (_, files, edges) =>
    expect(await edgesOf(files)).toEqual(edges),
  );
});

test.each([
  "file:./t.tgz",
  "portal:../../../outside",
  "file:../../vendor/gone",
])("%s may depend on anything that the lockfile holds", async (range) => {
  const locked = (checksum: string) => ({
    "package.json": ROOT,
    "packages/a/package.json": { name: "@m/a", dependencies: { t: range } },
    "packages/b/package.json": { name: "@m/b" },
    "yarn.lock": LOCK({
      "x@npm:^1": { checksum, resolution: { resolution: "x@npm:1.0.0" } },
    }),
  });
  const [was, is] = await Promise.all([read(locked("0")), read(locked("1"))]);
  if (!was.lock || !is.lock) throw new Error("there is a lockfile");
  expect([
    ...compareLockfiles(was.lock, is.lock, is.packages).workspaces.keys(),
  ]).toEqual(["@m/a"]);
});

describe("an unreadable lockfile of Yarn 6", () => {
  test.each([
    ["syntax", 3, '{\n  "__metadata": {},\n  entries\n}'],
    ["syntax", 1, '{ "lockfileVersion": 3 }'],
    ["syntax", 3, '{ "__metadata": {},\n "entries": {\n "a@npm:1": {} } }'],
    [
      "syntax",
      1,
      `{ "__metadata": {}, "entries": {}, "x": ${"[".repeat(99)}${"]".repeat(99)} }`,
    ],
    ["conflict", 2, '{\n<<<<<<< HEAD\n  "__metadata": {}\n=======\n}'],
  ] as const)("%s in line %i", (kind, line, text) => {
    expect(isJsonLockfile(text)).toBe(true);
    const error = thrownBy(() => parseJsonLockfile(text));
    expect(error).toBeInstanceOf(LockfileError);
    expect(error).toMatchObject({ kind, line });
  });

  test.each([
    ["workspaceProfiles: {}\n", 1],
    ["workspaceProfiles:\n  a: &x\n    devDependencies:\n      b: 1\n", 2],
    ["workspaceProfiles:\n  a:\n    dependencies:\n      b: 1\n", 3],
    ["workspaceProfiles:\n  a:\n    devDependencies:\n      b: *x\n", 4],
    ["workspaceProfiles:\n  a:\n    extends: *x\n", 3],
  ])("profiles: %j", async (text, line) => {
    const files = { "package.json": ROOT, "yarn.lock": LOCK({}) };
    await expect(
      read({ ...files, ".yarnrc.yml": `nodeLinker: pnp\n${text}` }),
    ).rejects.toMatchObject({ name: "ProfilesError", line: line + 1 });
  });
});

test("entries hold everything that Yarn 6 writes, and are shared with another lockfile", () => {
  const entry = {
    checksum: "00",
    resolution: {
      resolution: "n@builtin:24.12.0",
      version: "24.12.0",
      dependencies: { a: "^1.0.0" },
      peerDependencies: { p: "1" },
      optionalPeerDependencies: ["p", "q"],
      variants: ["n-linux@builtin:24.12.0"],
    },
  };
  const text = LOCK({ "n@builtin:^24, n@builtin:24": entry });
  const one = parseJsonLockfile(text);
  expect(one).toEqual({
    leavesOutWorkspaces: true,
    entries: [
      {
        key: "n@builtin:^24, n@builtin:24",
        descriptors: ["n@builtin:^24", "n@builtin:24"],
        resolution: "n@builtin:24.12.0",
        dependencies: [
          ["a", "^1.0.0"],
          ["n-linux", "builtin:24.12.0"],
        ],
        peerDependencies: [
          ["p", "1"],
          ["q", "*"],
        ],
        text: JSON.stringify(entry),
      },
    ],
  });
  const other = parseJsonLockfile(`\n${text}\n`, one);
  expect(other.entries[0]).toBe(one.entries[0]);
  const changed = text.replace('"00"', '"01"');
  expect(parseJsonLockfile(changed, one).entries[0]).not.toBe(one.entries[0]);
});
