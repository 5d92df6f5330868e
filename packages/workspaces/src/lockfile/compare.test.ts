import { describe, expect, test } from "@jest/globals";
import type { MemoryFiles } from "../memory-files.test.support.js";
import {
  fixtureProject,
  memoryFiles,
  textOf,
} from "../memory-files.test.support.js";
import type { Project } from "../project.js";
import { readProject } from "../read-project.js";
import { compareLockfiles } from "./compare.js";
import { asOfYarn6 } from "./yarn-6.test.support.js";

const base = fixtureProject("kinds");
const LOCK = textOf(base, "yarn.lock");

/** Replaces text that must exist. */
function swap(
  text: string,
  ...pairs: readonly (readonly [was: string | RegExp, is: string])[]
): string {
  return pairs.reduce((now, [was, is]) => {
    const next = now.replace(was, is);
    if (next === now) throw new Error(`not in the lockfile: ${String(was)}`);
    return next;
  }, text);
}

/** Returns the changes. They are the same whether the two lockfiles share entries or were parsed separately. */
async function changes(
  before: MemoryFiles,
  after: MemoryFiles,
): Promise<Record<string, string>> {
  const options = { touchedManifests: [], complete: false };
  const head = await readProject(memoryFiles(after), options);
  const [shared, apart] = await Promise.all(
    [head, undefined].map(async (sibling) =>
      changesBetween(
        await readProject(memoryFiles(before), { ...options, sibling }),
        head,
      ),
    ),
  );
  expect(shared).toEqual(apart);
  return shared ?? {};
}

function changesBetween(
  was: Project | undefined,
  head: Project | undefined,
): Record<string, string> {
  if (!was?.lock || !head?.lock) throw new Error("no lockfile");
  return Object.fromEntries(
    [...compareLockfiles(was.lock, head.lock, head.packages).workspaces]
      .map(([name, change]): [string, string] => [
        name,
        `${change.before.join(", ")} -> ${change.after}`,
      ])
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const lock = (
  ...pairs: Parameters<typeof swap> extends [string, ...infer Pairs]
    ? Pairs
    : never
): MemoryFiles => locked(swap(LOCK, ...pairs));
const locked = (text: string): MemoryFiles => ({ ...base, "yarn.lock": text });
const catalog = (was: string, is: string): MemoryFiles => ({
  ...base,
  ".yarnrc.yml": swap(textOf(base, ".yarnrc.yml"), [was, is]),
});
const root = base["package.json"] as { resolutions: Record<string, string> };
const resolving = (more: Record<string, string>): MemoryFiles => ({
  ...base,
  "package.json": { ...root, resolutions: { ...root.resolutions, ...more } },
});
const withoutClsx = Object.fromEntries(
  Object.entries(root.resolutions).filter(([ident]) => ident !== "clsx"),
);

const ENTRY = (descriptor: string, resolution: string, dependencies = "") =>
  `\n"${descriptor}":\n  version: 1.0.0\n  resolution: "${resolution}"\n${dependencies}  languageName: node\n  linkType: hard\n`;

/** The same project with a package extension: yarn.lock does not list `is-number` among the dependencies of `ms`. */
const extended = (files: MemoryFiles): MemoryFiles => ({
  ...files,
  ".yarnrc.yml": `${textOf(files, ".yarnrc.yml")}packageExtensions:\n  ms@2:\n    dependencies:\n      is-number: ^6.0.0\n`,
});

describe("workspaces whose external closure changed, and the reasons", () => {
  test.each<
    [title: string, head: MemoryFiles, expected: Record<string, string>]
  >([
    ["nothing", base, {}],
    ["a comment", lock([/^/, "# more\n"]), {}],
    ["the format's version", lock(["  version: 10\n", "  version: 11\n"]), {}],
    [
      "the order of entries",
      locked(
        [
          ...LOCK.trimEnd().split("\n\n").slice(0, 2),
          ...LOCK.trimEnd().split("\n\n").slice(2).toReversed(),
        ].join("\n\n"),
      ),
      {},
    ],
    ["Windows' line ends", locked(LOCK.replaceAll("\n", "\r\n")), {}],
    [
      "an entry that no package reaches",
      locked(LOCK + ENTRY("lonely@npm:1", "lonely@npm:1.0.0")),
      {},
    ],
    [
      "a bumped direct dependency",
      lock([
        'version: 2.1.3\n  resolution: "ms@npm:2.1.3"',
        'version: 2.1.4\n  resolution: "ms@npm:2.1.4"',
      ]),
      {
        "@m/a": "ms@npm:2.1.3 -> ms@npm:2.1.4",
        "@m/other": "ms@npm:2.1.3 -> ms@npm:2.1.4",
      },
    ],
    [
      "what an entry says, beside another version of the package",
      lock(["10c0/d924b57e", "10c0/00000000"]),
      {
        "@m/a": "ms@npm:2.1.3 -> ms@npm:2.1.3",
        "@m/other": "ms@npm:2.1.3 -> ms@npm:2.1.3",
      },
    ],
    [
      "a version that came to those that stay",
      locked(
        swap(LOCK, ["ms@npm:^2.1.0", "ms@npm:^2.0.9"]) +
          ENTRY("ms@npm:^2.1.0", "ms@npm:2.9.9"),
      ),
      { "@m/a": "ms@npm:2.1.3 -> ms@npm:2.9.9" },
    ],
    [
      "a version for a range that no package requested before",
      locked(
        swap(LOCK, ['ms: "npm:2.1.3"', 'ms: "npm:^2.9.0"']) +
          ENTRY("ms@npm:^2.9.0", "ms@npm:2.9.9"),
      ),
      { "@m/other": " -> ms@npm:2.9.9" },
    ],
    [
      "a checksum of a transitive dependency",
      lock(["10c0/5da4c684", "10c0/00000000"]),
      {
        "@m/a": "is-number@npm:6.0.0 -> is-number@npm:6.0.0",
        "@m/peer": "is-number@npm:6.0.0 -> is-number@npm:6.0.0",
      },
    ],
    [
      "a package extension that came",
      extended(base),
      {
        "@m/a": "ms@npm:2.1.3 -> ms@npm:2.1.3",
        "@m/core": "ms@npm:2.0.0 -> ms@npm:2.0.0",
        "@m/other": "ms@npm:2.1.3 -> ms@npm:2.1.3",
      },
    ],
    [
      "a descriptor that moved to another entry, both there before",
      lock(
        ['"ms@npm:2.0.0":', '"ms@npm:2.0.0, ms@npm:^2.1.0":'],
        ['"ms@npm:2.1.3, ms@npm:^2.1.0":', '"ms@npm:2.1.3":'],
      ),
      { "@m/a": "ms@npm:2.1.3 -> ms@npm:2.0.0" },
    ],
    [
      "a descriptor that a merge left in two entries",
      lock(['"ms@npm:2.0.0":', '"ms@npm:2.0.0, ms@npm:^2.1.0":']),
      { "@m/a": "ms@npm:2.1.3 -> ms@npm:2.0.0" },
    ],
    [
      "a dependency taken from an external package",
      lock(['  dependencies:\n    is-number: "npm:^6.0.0"\n', ""]),
      { "@m/a": "is-odd@npm:3.0.1 -> is-odd@npm:3.0.1" },
    ],
    [
      "a dependency given to an external package",
      locked(
        swap(LOCK, [
          '    is-number: "npm:^6.0.0"\n',
          '    deep: "npm:1"\n    is-number: "npm:^6.0.0"\n',
        ]) + ENTRY("deep@npm:1", "deep@npm:1.0.0"),
      ),
      { "@m/a": "is-odd@npm:3.0.1 -> is-odd@npm:3.0.1" },
    ],
    [
      "an alias",
      lock([
        'version: 2.1.2\n  resolution: "ms@npm:2.1.2"',
        'version: 2.1.1\n  resolution: "ms@npm:2.1.1"',
      ]),
      {
        "@m/a": "ms@npm:2.1.2 -> ms@npm:2.1.1",
      },
    ],
    [
      "the hash of a patch",
      lock(["hash=c13a88", "hash=0a0a0a"]),
      {
        "@m/a":
          "picocolors@patch:picocolors@npm%3A1.1.1#./pc.patch::version=1.1.1&hash=c13a88&locator=root%40workspace%3A. -> picocolors@patch:picocolors@npm%3A1.1.1#./pc.patch::version=1.1.1&hash=0a0a0a&locator=root%40workspace%3A.",
      },
    ],
    [
      "the hash of a patch of Yarn's own",
      lock(["hash=5adc0c", "hash=0a0a0a"]),
      {
        root: "typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=5adc0c -> typescript@patch:typescript@npm%3A5.4.5#optional!builtin<compat/typescript>::version=5.4.5&hash=0a0a0a",
      },
    ],
    [
      "a peer dependency of a portal",
      lock(['  peerDependencies:\n    "@m/other": "*"\n', ""]),
      {
        "@m/a":
          "vend-r@portal:./vendor/p::locator=root%40workspace%3A. -> vend-r@portal:./vendor/p::locator=root%40workspace%3A.",
      },
    ],
    [
      "conditions of an entry",
      lock([
        'resolution: "ms@npm:2.0.0"\n',
        'resolution: "ms@npm:2.0.0"\n  conditions: os=linux\n',
      ]),
      {
        "@m/core": "ms@npm:2.0.0 -> ms@npm:2.0.0",
      },
    ],
    [
      "a range of the catalog",
      catalog("ms: ^2.1.0", "ms: 2.0.0"),
      { "@m/a": "ms@npm:2.1.3 -> ms@npm:2.0.0" },
    ],
    [
      "a range of a named catalog",
      catalog("ms: 2.0.0", "ms: ^2.1.0"),
      { "@m/core": "ms@npm:2.0.0 -> ms@npm:2.1.3" },
    ],
    [
      "a resolution added",
      resolving({ ms: "2.0.0" }),
      {
        "@m/a": "ms@npm:2.1.3 -> ms@npm:2.0.0",
        "@m/other": "ms@npm:2.1.3 -> ms@npm:2.0.0",
      },
    ],
    [
      "a resolution of one dependent added",
      resolving({ "@m/core/ms": "2.1.3" }),
      { "@m/core": "ms@npm:2.0.0 -> ms@npm:2.1.3" },
    ],
    [
      "a resolution to a workspace taken away",
      {
        ...base,
        "package.json": { ...root, resolutions: withoutClsx },
        "yarn.lock":
          swap(LOCK, [", clsx@workspace:packages/clsx-fork", ""]) +
          ENTRY("clsx@npm:^2.0.0", "clsx@npm:2.1.1"),
      },
      { "@m/a": "@m/clsx-fork@workspace:packages/clsx-fork -> clsx@npm:2.1.1" },
    ],
    [
      "a range that a workspace answered, and the registry answers now",
      locked(
        swap(LOCK, ["@m/outer@npm:^1.0.0, ", ""]) +
          ENTRY("@m/outer@npm:^1.0.0", "@m/outer@npm:1.0.0"),
      ),
      {
        "@m/a": "@m/outer@workspace:packages/outer -> @m/outer@npm:1.0.0",
      },
    ],
  ])("%s", async (title, head, expected) => {
    expect(await changes(base, head)).toEqual(expected);
    const names = Object.keys(
      await changes(asOfYarn6(base), asOfYarn6(head)),
    ).sort();
    expect(names).toEqual(
      title in ONLY_YARN_4 ? [] : Object.keys(expected).sort(),
    );
  });
});

test("an entry that answers a package and its alias is named once", async () => {
  const before = lock([
    '"ms-old@npm:ms@2.1.2":',
    '"ms-old@npm:ms@2.1.2, ms@npm:2.1.2":',
  ]);
  const after = swap(textOf(before, "yarn.lock"), [
    'version: 2.1.2\n  resolution: "ms@npm:2.1.2"',
    'version: 2.1.1\n  resolution: "ms@npm:2.1.1"',
  ]);
  expect(await changes(before, { ...before, "yarn.lock": after })).toEqual({
    "@m/a": "ms@npm:2.1.2 -> ms@npm:2.1.1",
  });
});

/** Changes that only a lockfile of Yarn 4 contains. In Yarn 6, the patches and manifests themselves change. */
const ONLY_YARN_4 = {
  "a version for a range that no package requested before": true,
  "the hash of a patch": true,
  "the hash of a patch of Yarn's own": true,
  "a peer dependency of a portal": true,
};

test("cycles of external packages end", async () => {
  const project = {
    "package.json": { name: "root", dependencies: { a: "1" } },
  };
  const cycle = (checksum: string) => ({
    ...project,
    "yarn.lock":
      ENTRY("a@npm:1", "a@npm:1.0.0", '  dependencies:\n    b: "npm:1"\n') +
      ENTRY(
        "b@npm:1",
        "b@npm:1.0.0",
        `  dependencies:\n    a: "npm:1"\n  checksum: ${checksum}\n`,
      ),
  });
  expect(await changes(cycle("1"), cycle("2"))).toEqual({
    root: "b@npm:1.0.0 -> b@npm:1.0.0",
  });
});

test("an entry may stay as it is, and its dependency resolve to another", async () => {
  const project = {
    "package.json": { name: "root", dependencies: { a: "1" } },
  };
  const resolving = (one: string, two: string) => ({
    ...project,
    "yarn.lock":
      ENTRY("a@npm:1", "a@npm:1.0.0", '  dependencies:\n    b: "npm:1"\n') +
      ENTRY(one, "b@npm:1.0.0") +
      ENTRY(two, "b@npm:1.0.1"),
  });
  expect(
    await changes(
      resolving("b@npm:1, b@npm:1.0.0", "b@npm:1.0.1"),
      resolving("b@npm:1.0.0", "b@npm:1, b@npm:1.0.1"),
    ),
  ).toEqual({ root: "a@npm:1.0.0 -> a@npm:1.0.0" });
});

test("a dependency added by a package extension counts for every workspace that depends on the package", async () => {
  const head = lock(["10c0/5da4c684", "10c0/00000000"]);
  expect(Object.keys(await changes(extended(base), extended(head)))).toEqual([
    "@m/a",
    "@m/core",
    "@m/other",
    "@m/peer",
  ]);
});

test.each([
  ["another version", '"ms@npm:2.0.0":\n  version: 2.0.0', []],
  ["the root's", '"ms@npm:2.1.3, ms@npm:^2.1.0":\n  version: 2.1.3', ["ms"]],
])(
  "of a package that the root declares, %s changed",
  async (_, was, ofRoot) => {
    const options = { touchedManifests: [], complete: false };
    const declared = swap(LOCK, [
      '    typescript: "npm:5.4.5"\n  languageName: unknown',
      '    ms: "npm:2.1.3"\n    typescript: "npm:5.4.5"\n  languageName: unknown',
    ]);
    const manifest = { ...root, devDependencies: { ms: "2.1.3" } };
    const read = async (text: string) =>
      (await readProject(
        memoryFiles({ ...base, "package.json": manifest, "yarn.lock": text }),
        options,
      )) ?? fail();
    const [before, after] = [
      await read(declared),
      await read(swap(declared, [was, `${was}\n  bin:\n    x: x`])),
    ];
    if (!before.lock || !after.lock) throw new Error("no lockfile");
    const found = compareLockfiles(before.lock, after.lock, after.packages);
    expect([...found.externals.keys()]).toContain("ms");
    expect([...found.ofRoot.keys()]).toEqual(ofRoot);
  },
);

function fail(): never {
  throw new Error("there is a package.json");
}
