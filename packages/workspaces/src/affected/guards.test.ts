import { describe, expect, test } from "@jest/globals";
import type { Change } from "@skein/changes";
import { memoryFiles, type MemoryFiles } from "../memory-files.test.support.js";
import { readProject } from "../read-project.js";
import { defaultSettings } from "../settings/settings.js";
import { decideAffected } from "./affected.js";
import type { References, User } from "./input.js";
import { NO_REFERENCES } from "./no-references.test.support.js";

const ROOT = { name: "root", workspaces: ["packages/*", "groups/*/*"] };
const PACKAGES: MemoryFiles = {
  "package.json": ROOT,
  "packages/a/package.json": { name: "a", version: "1.0.0" },
  "packages/b/package.json": { name: "b", version: "1.0.0" },
  "groups/one/c/package.json": { name: "c", version: "1.0.0" },
};
const LOCK = `"a@workspace:packages/a":
  resolution: "a@workspace:packages/a"

"b@workspace:packages/b":
  resolution: "b@workspace:packages/b"

"c@workspace:groups/one/c":
  resolution: "c@workspace:groups/one/c"

"root@workspace:.":
  resolution: "root@workspace:."
`;

const changed = (
  path: string,
  kind: Change["kind"] = "modified",
): readonly Change[] => [{ path, kind, origin: "committed" }];

/** Decides with all manifests read. */
async function decideFully(
  was: MemoryFiles,
  is: MemoryFiles,
  changes: readonly Change[],
  references = NO_REFERENCES,
) {
  const read = async (files: MemoryFiles) => {
    const options = { touchedManifests: [], complete: true };
    const project = await readProject(memoryFiles(files), options);
    if (!project) throw new Error("there is a package.json");
    return project;
  };
  return decideAffected({
    base: await read(was),
    head: await read(is),
    changes,
    unknown: [],
    settings: defaultSettings.affected,
    script: undefined,
    references,
  });
}

/** @returns each package with the kinds of its reasons, and what concerns everything */
async function decide(...input: Parameters<typeof decideFully>) {
  const { packages, everything } = await decideFully(...input);
  return {
    packages: Object.fromEntries(
      [...packages.values()].map(({ name, reasons }) => [
        name,
        reasons.map(({ kind }) => kind),
      ]),
    ),
    everything,
  };
}

describe("a new file that no package owns or refers to", () => {
  const references: References = {
    ...NO_REFERENCES,
    scriptsOf: (name) => (name === "a" ? { test: "mocha" } : {}),
  };
  const isNew = (path: string) =>
    decide(
      PACKAGES,
      { ...PACKAGES, [path]: "" },
      changed(path, "added"),
      references,
    );

  test.each([
    "packages/some-tool.config",
    "groups/x.conf",
    "elsewhere/x.conf",
    "elsewhere/.mocharc.json",
    "groups/.mocharc.json",
    "jest.config.js",
  ])("%s: no program looks it up, so it affects nothing", async (path) =>
    expect(await isNew(path)).toEqual({ packages: {}, everything: [] }),
  );

  test.each([".mocharc.json", "packages/.mocharc.json"])(
    "%s: a package whose script runs Mocha looks it up",
    async (path) =>
      expect(await isNew(path)).toEqual({
        packages: { a: ["looked-up-file"] },
        everything: [],
      }),
  );
});

describe("a new file that is called like a program outside the table", () => {
  const references: References = {
    ...NO_REFERENCES,
    scriptsOf: (name) => (name === "a" ? { test: "foo --all" } : {}),
  };

  test.each([
    ["foo.config.js", true],
    ["packages/foo.config.js", true],
    ["packages/.foorc", true],
    ["packages/bar.config.js", false],
    ["groups/foo.config.js", false],
    ["groups/one/foo.config.js", false],
    ["elsewhere/foo.config.js", false],
  ])(
    "%s: a package below it whose script runs the program looks it up: %j",
    async (path, isAffected) =>
      expect(
        await decide(
          PACKAGES,
          { ...PACKAGES, [path]: "" },
          changed(path, "added"),
          references,
        ),
      ).toEqual({
        packages: isAffected ? { a: ["looked-up-file"] } : {},
        everything: [],
      }),
  );
});

test("a line that leads to a changed file in several ways is one reason", async () => {
  const user = (line: number): User => ({
    referrer: { file: "packages/b/Dockerfile", line, specifier: "./" },
    testOnly: false,
  });
  const path = "packages/a/x.test.js";
  const references: References = {
    ...NO_REFERENCES,
    usersOfAside: () => [user(1), user(1), user(2), user(1)],
  };
  const { packages } = await decideFully(
    PACKAGES,
    PACKAGES,
    changed(path),
    references,
  );
  expect(packages.get("b")?.reasons).toEqual(
    [1, 2, 1].map((line) => ({
      kind: "referenced-file",
      path,
      referrer: user(line).referrer,
    })),
  );
});

describe("a file that a file of the root names through a folder", () => {
  test.each<
    [why: string, path: string, user: Partial<User>, isAffected: boolean]
  >([
    [
      "a folder of files has a purpose",
      "texts/en.txt",
      { folder: "texts" },
      true,
    ],
    ["its own name", "texts/en.txt", {}, true],
    ["the root is for everything", "texts/en.txt", { folder: "" }, false],
    [
      "a folder that contains packages is for everything",
      "packages/en.txt",
      { folder: "packages" },
      false,
    ],
    [
      "settings only select it",
      "texts/en.txt",
      { folder: "texts", isSelection: true },
      false,
    ],
  ])("%s: %s, %j", async (_, path, user, isAffected) => {
    const files = { ...PACKAGES, [path]: "", "list.mjs": "" };
    const referredBy = (file: string): User => ({
      referrer: { file, line: 1, specifier: "x" },
      testOnly: false,
    });
    const answer = await decide(files, files, changed(path), {
      ...NO_REFERENCES,
      usersOf: (target) =>
        target === path
          ? [{ ...referredBy("list.mjs"), ...user }]
          : target === "list.mjs"
            ? [referredBy("packages/a/a.mjs")]
            : [],
    });
    expect(answer).toEqual({
      packages: isAffected ? { a: ["referenced-file"] } : {},
      everything: [],
    });
  });
});

describe("a changed path that contains whole workspaces, such as a submodule", () => {
  test.each([
    ["groups", { c: ["file"] }],
    ["groups/one", { c: ["file"] }],
    ["packages", { a: ["file"], b: ["file"] }],
  ])("%s", async (path, packages) =>
    expect(await decide(PACKAGES, PACKAGES, changed(path))).toEqual({
      packages,
      everything: [],
    }),
  );
});

test("a deleted patch affects the packages that used it at base", async () => {
  const uses = (range: string) => ({
    ...PACKAGES,
    "packages/a/package.json": { name: "a", dependencies: { x: range } },
    "yarn.lock": LOCK,
  });
  const was = uses("patch:x@npm%3A1#~/.yarn/patches/x.patch");
  // The list omits the manifest's own change, which would hide what the patch does.
  expect(
    await decide(was, uses("1"), changed(".yarn/patches/x.patch", "deleted")),
  ).toEqual({ packages: { a: ["referenced-file"] }, everything: [] });
});

describe("scripts of the root that packages call", () => {
  const scripts = (z: string, caller: string) => ({
    ...PACKAGES,
    "package.json": {
      ...ROOT,
      scripts: { w: "run-s x", x: "run-s y", y: "yarn run z", z },
    },
    "packages/a/package.json": { name: "a", scripts: { test: caller } },
  });

  test.each([
    ["yarn run -T z", true],
    ["yarn run -T y", true],
    ["yarn run -T x", true],
    ["yarn run -T w", true],
    ["yarn run -T --inspect w", true],
    ["yarn run -T v", false],
    // A script of its own: without -T it is not the root's.
    ["yarn run w", false],
  ])("%s, where z changed", async (caller, isAffected) => {
    const { packages } = await decide(
      scripts("one", caller),
      scripts("two", caller),
      changed("package.json"),
    );
    expect(packages["a"]).toEqual(isAffected ? ["referenced-file"] : undefined);
  });
});

test("adding or removing a nested package changes which files the outer package owns", async () => {
  const without = {
    ...PACKAGES,
    "package.json": { ...ROOT, workspaces: ["packages/*", "packages/a/in/*"] },
  };
  const nested = { ...without, "packages/a/in/d/package.json": { name: "d" } };
  const path = "packages/a/in/d/package.json";
  const gone = await decide(nested, without, changed(path, "deleted"));
  expect(gone.packages).toEqual({ a: ["file"] });
  const come = await decide(without, nested, changed(path, "added"));
  expect(come.packages).toEqual({ a: ["file"], d: ["file", "new-package"] });
});

describe("dependencies of the root", () => {
  const depending = (version: string, manifest: object = {}, lock = "") => ({
    ...PACKAGES,
    "package.json": { ...ROOT, devDependencies: { x: "^1", "@types/y": "^1" } },
    "packages/a/package.json": { name: "a", ...manifest },
    "yarn.lock": `${LOCK}
"x@npm:^1":
  version: ${version}
  resolution: "x@npm:${version}"
  bin:
    run-x: bin.js

"@types/y@npm:^1":
  version: ${version}
  resolution: "@types/y@npm:${version}"
${lock}`,
  });
  const root = ["lockfile"];

  test.each<
    [why: string, manifest: object, known: Partial<References>, a: unknown]
  >([
    ["concerns no package that does not use it", {}, {}, undefined],
    [
      "concerns who names it undeclared",
      {},
      {
        referencesToExternal: (external) =>
          external === "x"
            ? [
                {
                  workspace: "a",
                  user: () => ({
                    referrer: {
                      file: "packages/a/a.js",
                      line: 1,
                      specifier: "x",
                    },
                    testOnly: false,
                  }),
                },
              ]
            : [],
      },
      ["external"],
    ],
    [
      "concerns who expects it as a peer",
      { peerDependencies: { x: "*" } },
      {},
      ["external"],
    ],
    [
      "concerns who runs its program",
      {},
      { scriptsOf: (name) => (name === "a" ? { t: "run -T run-x" } : {}) },
      ["external"],
    ],
    [
      "concerns who may load its types",
      {},
      { scriptsOf: (name) => (name === "a" ? { b: "tsc -b" } : {}) },
      ["external"],
    ],
  ])("%s", async (_, manifest, known, a) => {
    const answer = await decide(
      depending("1.0.0", manifest),
      depending("1.0.1", manifest),
      changed("yarn.lock"),
      { ...NO_REFERENCES, ...known },
    );
    expect(answer).toEqual({
      packages: { root, ...(a !== undefined && { a }) },
      everything: [],
    });
  });

  const patched = (version: string) =>
    `typescript@patch:typescript@npm%3A${version}#optional!builtin<compat/typescript>::version=${version}&hash=5786d5`;
  const tsconfig = {
    workspace: "b",
    user: () => ({
      referrer: { file: "packages/b/tsconfig.json", line: 1, specifier: "*" },
      testOnly: false,
    }),
  };
  test.each<[compilers: string[], all: boolean, a: unknown]>([
    [["typescript@npm:6.0.3", patched("6.0.3")], false, undefined],
    [["typescript@npm:6.0.3"], true, ["external"]],
    [["typescript@npm:6.0.3", patched("5.9.3")], false, ["external"]],
    [["@tsd/typescript@npm:5.9.3"], false, ["external"]],
    [["typescript@portal:../ts"], false, ["external"]],
    [["typescript@npm:10.0.0"], false, undefined],
  ])("types, with %j and everything listed: %s", async (compilers, all, a) => {
    const lock = compilers
      .map((each) => `\n"${each}":\n  resolution: "${each}"\n`)
      .join("");
    const { packages } = await decide(
      depending("1.0.0", {}, lock),
      depending("1.0.1", {}, lock),
      changed("yarn.lock"),
      {
        ...NO_REFERENCES,
        scriptsOf: (name) => (name === "a" ? { b: "tsc -b" } : {}),
        referencesToExternal: (external) =>
          external === "*" && all ? [tsconfig] : [],
      },
    );
    expect(packages).toEqual({ root, ...(a !== undefined && { a }) });
  });
});

test.each([
  [
    "nodeLinker: pnp\n",
    [{ kind: "global-file", path: ".yarnrc.yml", role: "Yarn's settings" }],
  ],
  ["# a comment\nnodeLinker: node-modules\n", []],
])(
  "any other setting of Yarn affects everything: %j",
  async (text, expected) => {
    const set = (yarnrc: string) => ({
      ...PACKAGES,
      "yarn.lock": LOCK,
      ".yarnrc.yml": yarnrc,
    });
    const { everything } = await decide(
      set("nodeLinker: node-modules\n"),
      set(text),
      changed(".yarnrc.yml"),
    );
    expect(everything).toEqual(expected);
  },
);

test.each([[[true, false]], [[false, true]], [[false, false]]])(
  "a shared file that both a test and a source use also affects dependents: %j",
  async (uses) => {
    const files = {
      ...PACKAGES,
      "packages/b/package.json": { name: "b", dependencies: { a: "*" } },
      "elsewhere/x.js": "",
    };
    const { packages } = await decide(files, files, changed("elsewhere/x.js"), {
      ...NO_REFERENCES,
      usersOf: () =>
        uses.map((testOnly, line) => ({
          referrer: { file: "packages/a/x.js", line, specifier: "x" },
          testOnly,
        })),
    });
    expect(packages).toEqual({ a: ["referenced-file"], b: ["dependency"] });
  },
);

describe("a file that packages may read is a guess only if no reference surely leads to it", () => {
  const files = { ...PACKAGES, "elsewhere/x.js": "", "y.js": "", "z.js": "" };
  const user = (file: string, more: object = {}) => ({
    referrer: { file, line: 1, specifier: "elsewhere/" },
    testOnly: false,
    ...more,
  });
  const open = { isGuess: true } as const;
  const named = { a: "sure" };
  const guessed = { a: "guess" };

  test.each<[Readonly<Record<string, ReturnType<typeof user>[]>>, object]>([
    [{ "elsewhere/x.js": [user("packages/a/a.js", open)] }, guessed],
    [{ "elsewhere/x.js": [user("packages/a/a.js")] }, named],
    [
      {
        "elsewhere/x.js": [
          user("packages/a/a.js", open),
          user("packages/a/b.js", { testOnly: true }),
        ],
      },
      named,
    ],
    [
      {
        "elsewhere/x.js": [user("y.js", open)],
        "y.js": [user("packages/a/a.js")],
      },
      guessed,
    ],
    [
      {
        "elsewhere/x.js": [user("y.js", open), user("z.js")],
        "y.js": [user("packages/a/a.js")],
        "z.js": [user("y.js")],
      },
      named,
    ],
    [
      {
        "elsewhere/x.js": [user("y.js")],
        "y.js": [user("packages/a/a.js", open)],
      },
      guessed,
    ],
  ])("%j", async (users, expected) => {
    const change = changed("elsewhere/x.js");
    const { packages } = await decideFully(files, files, change, {
      ...NO_REFERENCES,
      usersOf: (path) => users[path] ?? [],
    });
    const found = Object.fromEntries(
      [...packages.values()].map(({ name, reasons }) => [
        name,
        reasons.every((reason) => "isGuess" in reason) ? "guess" : "sure",
      ]),
    );
    expect(found).toEqual(expected);
  });
});

describe("changed resolutions", () => {
  const EVERYTHING = [{ kind: "root-manifest", field: "resolutions" }];
  const locked = { ...PACKAGES, "yarn.lock": LOCK };
  const resolving = (files: MemoryFiles) => ({
    ...files,
    "package.json": { ...ROOT, resolutions: { x: "1" } },
  });

  test.each([
    ["without a yarn.lock at both ends", PACKAGES, PACKAGES, EVERYTHING],
    ["without one before", PACKAGES, locked, EVERYTHING],
    ["without one now", locked, PACKAGES, EVERYTHING],
    ["with both, which yarn.lock explains", locked, locked, []],
  ])("%s", async (_, was, is, expected) => {
    const { everything } = await decide(
      was,
      resolving(is),
      changed("package.json"),
    );
    expect(everything).toEqual(expected);
  });
});
