import fc from "fast-check";

/** The ways in which a package depends on another. */
export const FORMS = [
  ["dependencies", "workspace:^"],
  ["dependencies", "^1.0.0"],
  ["devDependencies", "workspace:*"],
  ["optionalDependencies", "workspace:~"],
  ["peerDependencies", "*"],
  ["dependencies", "path"],
  ["dependencies", "link"],
] as const;

/** The scripts of a package: of a known program, of one that only calls another script, of an unknown program. */
export const SCRIPTS: readonly Readonly<Record<string, string>>[] = [
  {},
  { test: "jest" },
  { test: "yarn unit", unit: "mocha" },
  { lint: "eslint ." },
  { test: "frobnicate" },
  { build: "babel src" },
  { build: "frobnicate", test: "yarn lint", lint: "eslint ." },
];

/** Settings in the root. No file names them; programs look them up. */
export const SETTINGS = [
  "jest.config.js",
  ".mocharc.json",
  "babel.config.json",
  ".eslintrc.json",
] as const;

/** `deep` is a test that only `exposed` imports, so the source imports it through `exposed`. */
export type ToyFile = "source" | "test" | "exposed" | "deep";

/** One package of a toy workspace. */
export interface ToyPackage {
  readonly name: string;
  readonly dir: string;
  readonly source: number;
  /** A test; `exposed` is a test that its source imports. */
  readonly test: number;
  readonly exposed: number;
  readonly readme: number;
  /** An index of `SCRIPTS`. */
  readonly scripts: number;
  /** Names of packages, existing or not, and the form of the dependency. */
  readonly dependencies: readonly (readonly [name: string, form: number])[];
  /** External idents and which of two ranges. */
  readonly externals: readonly (readonly [ident: string, range: "^1" | "~1"])[];
  /** Shared files that its source refers to, and those that its test refers to. */
  readonly uses: readonly string[];
  readonly testUses: readonly string[];
  /** Names of packages that it imports, declared or not, existing or not, and the file that imports them. */
  readonly imports: readonly (readonly [name: string, file: ToyFile])[];
  /** Links to the vendored folder. */
  readonly vendored: boolean;
}

/** A file that no package owns. */
export interface ToyShared {
  readonly content: number;
  readonly uses: readonly string[];
  readonly imports: readonly string[];
}

/** A workspace at one point in time. */
export interface Toy {
  readonly packages: readonly ToyPackage[];
  /** ident -> range -> version. */
  readonly versions: Readonly<
    Record<string, Readonly<Record<"^1" | "~1", number>>>
  >;
  /** ident@version -> its dependencies and checksum. */
  readonly registry: Readonly<
    Record<
      string,
      { readonly dependencies: readonly string[]; readonly checksum: number }
    >
  >;
  /** Shared files that no package owns: their content, and the shared files and packages that they refer to. */
  readonly shared: Readonly<Record<string, ToyShared>>;
  readonly vendored: number;
  /** The content of each file of settings. */
  readonly settings: Readonly<Record<string, number>>;
}

const NAMES = ["p0", "p1", "p2", "p3", "p4", "p5"];
const DIRS = [
  ...NAMES.slice(0, 5).map((name) => `packages/${name}`),
  "packages/p0/inner/p5",
  "packages/q",
];
const EXTERNALS = ["e0", "e1", "e2", "e3"];
const SHARED = ["shared/a.ts", "shared/b.ts", "shared/deep/c.ts"];
const number = fc.nat({ max: 2 });
const range = fc.constantFrom("^1" as const, "~1" as const);

const toyPackage = fc.record({
  source: number,
  test: number,
  exposed: number,
  readme: number,
  scripts: fc.nat({ max: SCRIPTS.length - 1 }),
  dependencies: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...NAMES), fc.nat({ max: FORMS.length - 1 })),
    { maxLength: 3, selector: ([name]) => name },
  ),
  externals: fc.uniqueArray(fc.tuple(fc.constantFrom(...EXTERNALS), range), {
    maxLength: 2,
    selector: ([ident]) => ident,
  }),
  uses: fc.uniqueArray(fc.constantFrom(...SHARED), { maxLength: 1 }),
  testUses: fc.uniqueArray(fc.constantFrom(...SHARED), { maxLength: 1 }),
  imports: fc.array(
    fc.tuple(
      fc.constantFrom(...NAMES),
      fc.constantFrom("source", "test", "test", "exposed", "deep" as const),
    ),
    { maxLength: 2 },
  ),
  vendored: fc.boolean(),
});

const version = fc.record({ "^1": number, "~1": number });
const release = fc.record({
  dependencies: fc.uniqueArray(fc.constantFrom(...EXTERNALS), { maxLength: 2 }),
  checksum: number,
});
const KEYS = EXTERNALS.flatMap((ident) =>
  [0, 1, 2].map((each) => `${ident}@${each}`),
);
const tuple = <T>(keys: readonly string[], of: fc.Arbitrary<T>) =>
  fc
    .tuple(...keys.map(() => of))
    .map((values) =>
      Object.fromEntries(keys.map((key, index) => [key, values[index] as T])),
    );

const toy: fc.Arbitrary<Toy> = fc.record({
  packages: fc
    .tuple(...NAMES.map(() => fc.option(toyPackage, { freq: 4 })))
    .map((all) =>
      all.flatMap((each, index) =>
        each
          ? [{ ...each, name: NAMES[index] ?? "", dir: DIRS[index] ?? "" }]
          : [],
      ),
    ),
  versions: tuple(EXTERNALS, version),
  registry: tuple(KEYS, release),
  shared: tuple(
    SHARED,
    fc.record({
      content: number,
      uses: fc.uniqueArray(fc.constantFrom(...SHARED), { maxLength: 1 }),
      imports: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: 1 }),
    }),
  ),
  vendored: number,
  settings: tuple(SETTINGS, number),
});

/** One edit of a workspace: a part of it becomes like that of another workspace. */
const edit = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "source",
        "test",
        "exposed",
        "readme",
        "scripts",
        "dependencies",
        "externals",
        "uses",
        "testUses",
        "imports",
        "vendored" as const,
      ),
      index: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom("remove", "add", "rename", "move" as const),
      index: fc.nat({ max: 5 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "version",
        "release",
        "shared",
        "vendor",
        "settings",
        "settings" as const,
      ),
      index: fc.nat({ max: 11 }),
    }),
  },
);
type Edit = typeof edit extends fc.Arbitrary<infer T> ? T : never;

function apply(now: Toy, other: Toy, { kind, index }: Edit): Toy {
  const name = NAMES[index % NAMES.length] ?? "";
  const mine = now.packages.find((each) => each.dir === DIRS[index]);
  const theirs = other.packages.find((each) => each.dir === DIRS[index]);
  const replace = (next: ToyPackage): Toy => ({
    ...now,
    packages: now.packages.map((each) => (each === mine ? next : each)),
  });
  switch (kind) {
    case "remove":
      return { ...now, packages: now.packages.filter((each) => each !== mine) };
    case "add":
      return mine || !theirs || now.packages.some((each) => each.name === name)
        ? now
        : { ...now, packages: [...now.packages, theirs] };
    case "rename":
      return mine && !now.packages.some((each) => each.name === "renamed")
        ? replace({ ...mine, name: "renamed" })
        : now;
    case "move":
      return mine && !now.packages.some((each) => each.dir === "packages/q")
        ? replace({ ...mine, dir: "packages/q" })
        : now;
    case "version": {
      const key = EXTERNALS[index % EXTERNALS.length] ?? "";
      return {
        ...now,
        versions: {
          ...now.versions,
          [key]: other.versions[key] ?? { "^1": 0, "~1": 0 },
        },
      };
    }
    case "release": {
      const key = KEYS[index] ?? "";
      return {
        ...now,
        registry: {
          ...now.registry,
          [key]: other.registry[key] ?? { dependencies: [], checksum: 0 },
        },
      };
    }
    case "shared": {
      const key = SHARED[index % SHARED.length] ?? "";
      const { content = 0, imports = [] } = other.shared[key] ?? {};
      const uses = now.shared[key]?.uses ?? [];
      return {
        ...now,
        shared: { ...now.shared, [key]: { content, uses, imports } },
      };
    }
    case "settings": {
      const key = SETTINGS[index % SETTINGS.length] ?? "";
      const settings = { ...now.settings, [key]: other.settings[key] ?? 0 };
      return { ...now, settings };
    }
    case "vendor":
      return { ...now, vendored: other.vendored };
    case "source":
    case "test":
    case "exposed":
    case "readme":
    case "scripts":
    case "dependencies":
    case "externals":
    case "uses":
    case "testUses":
    case "imports":
    case "vendored":
      return mine && theirs ? replace({ ...mine, [kind]: theirs[kind] }) : now;
  }
}

/** A workspace before and after a change, and the script that is asked for; undefined for any. */
export const change = fc
  .tuple(
    toy,
    toy,
    fc.array(edit, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(undefined, "test"),
  )
  .map(([base, other, edits, script]) => ({
    script,
    base,
    head: edits.reduce((now, each) => apply(now, other, each), base),
  }));
