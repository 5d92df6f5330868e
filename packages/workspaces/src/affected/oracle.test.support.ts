import fc from "fast-check";
import type { MemoryFiles } from "../memory-files.test.support.js";

/** How a package depends on another. */
const FORMS = [
  ["dependencies", "workspace:^"],
  ["dependencies", "^1.0.0"],
  ["devDependencies", "workspace:*"],
  ["optionalDependencies", "workspace:~"],
  ["peerDependencies", "*"],
  ["dependencies", "path"],
  ["dependencies", "link"],
] as const;

/** One package of a toy workspace. */
export interface ToyPackage {
  readonly name: string;
  readonly dir: string;
  readonly source: number;
  /** A test of its own; `exposed` is one that its source imports. */
  readonly test: number;
  readonly exposed: number;
  readonly readme: number;
  /** Names of packages, there or not, and the form of the dependency. */
  readonly dependencies: readonly (readonly [name: string, form: number])[];
  /** External idents and which of two ranges. */
  readonly externals: readonly (readonly [ident: string, range: "^1" | "~1"])[];
  /** Shared files that its source refers to. */
  readonly uses: readonly string[];
  /** Links to the vendored folder. */
  readonly vendored: boolean;
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
  /** Shared files that no package owns: content, and the shared files that they refer to. */
  readonly shared: Readonly<
    Record<
      string,
      { readonly content: number; readonly uses: readonly string[] }
    >
  >;
  readonly vendored: number;
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
  dependencies: fc.uniqueArray(
    fc.tuple(fc.constantFrom(...NAMES), fc.nat({ max: FORMS.length - 1 })),
    { maxLength: 3, selector: ([name]) => name },
  ),
  externals: fc.uniqueArray(fc.tuple(fc.constantFrom(...EXTERNALS), range), {
    maxLength: 2,
    selector: ([ident]) => ident,
  }),
  uses: fc.uniqueArray(fc.constantFrom(...SHARED), { maxLength: 1 }),
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
    }),
  ),
  vendored: number,
});

/** One edit of a workspace: a part of it becomes as it is in another one. */
const edit = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "source",
        "test",
        "exposed",
        "readme",
        "dependencies",
        "externals",
        "uses",
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
      kind: fc.constantFrom("version", "release", "shared", "vendor" as const),
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
      const content = other.shared[key]?.content ?? 0;
      return {
        ...now,
        shared: {
          ...now.shared,
          [key]: { content, uses: now.shared[key]?.uses ?? [] },
        },
      };
    }
    case "vendor":
      return { ...now, vendored: other.vendored };
    case "source":
    case "test":
    case "exposed":
    case "readme":
    case "dependencies":
    case "externals":
    case "uses":
    case "vendored":
      return mine && theirs ? replace({ ...mine, [kind]: theirs[kind] }) : now;
  }
}

/** A workspace, and what becomes of it. */
export const change = fc
  .tuple(toy, toy, fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([base, other, edits]) => ({
    base,
    head: edits.reduce((now, each) => apply(now, other, each), base),
  }));

/** Every file of it, with the yarn.lock that Yarn would write. */
export function filesOf(toy: Toy): MemoryFiles {
  const files: Record<string, unknown> = {
    "package.json": {
      name: "root",
      workspaces: ["packages/*", "packages/*/inner/*"],
    },
    "yarn.lock": lockOf(toy),
    "vendor/package.json": { name: "vendor" },
    "vendor/index.js": `${toy.vendored}\n`,
  };
  for (const [path, { content, uses }] of Object.entries(toy.shared))
    files[path] = `${content} ${uses.join()}\n`;
  for (const each of toy.packages) {
    files[`${each.dir}/package.json`] = manifestOf(each, toy);
    files[`${each.dir}/src/index.ts`] = `${each.source} ${each.uses.join()}\n`;
    files[`${each.dir}/src/a.test.ts`] = `${each.test}\n`;
    files[`${each.dir}/src/exposed.test.ts`] = `${each.exposed}\n`;
    files[`${each.dir}/README.md`] = `${each.readme}\n`;
  }
  return files;
}

function manifestOf(
  { name, dir, dependencies, externals, vendored }: ToyPackage,
  { packages }: Toy,
) {
  const fields: Record<string, Record<string, string>> = {};
  const add = (field: string, ident: string, spec: string) =>
    ((fields[field] ??= {})[ident] = spec);
  for (const [on, form] of dependencies)
    add(FORMS[form]?.[0] ?? "", on, specOf(dir, on, form, packages));
  for (const [ident, spec] of externals)
    add("dependencies", ident, `${spec}.0.0`);
  if (vendored) add("dependencies", "vendor", `link:${up(dir)}vendor`);
  return { name, version: "1.0.0", ...fields };
}

const up = (dir: string) => dir.replaceAll(/[^/]+/g, "..") + "/";

function specOf(
  dir: string,
  on: string,
  form: number,
  packages: readonly ToyPackage[],
): string {
  const spec = FORMS[form]?.[1] ?? "";
  const target = packages.find(({ name }) => name === on)?.dir;
  // Without a target there is no path to name.
  if (spec !== "path" && spec !== "link") return spec;
  if (target === undefined) return "workspace:^";
  return spec === "path" ? `workspace:${target}` : `link:${up(dir)}${target}`;
}

function lockOf(toy: Toy): string {
  const blocks = new Map<string, { keys: string[]; lines: string[] }>();
  const specs = new Map<string, Set<string>>();
  const named = new Map(toy.packages.map((each) => [each.name, each]));
  for (const each of toy.packages) {
    for (const [on, form] of each.dependencies) {
      const spec = specOf(each.dir, on, form, toy.packages);
      if (
        FORMS[form]?.[0] === "peerDependencies" ||
        !named.has(on) ||
        spec.startsWith("link:")
      )
        continue;
      const descriptor = spec === "^1.0.0" ? "npm:^1.0.0" : spec;
      specs.set(on, (specs.get(on) ?? new Set()).add(descriptor));
    }
  }
  for (const each of toy.packages) {
    const resolution = `${each.name}@workspace:${each.dir}`;
    const manifest = manifestOf(each, toy) as unknown as Record<
      string,
      Record<string, string>
    >;
    const all = {
      ...manifest["dependencies"],
      ...manifest["devDependencies"],
      ...manifest["optionalDependencies"],
    };
    blocks.set(resolution, {
      keys: [
        ...new Set([
          resolution,
          ...[...(specs.get(each.name) ?? [])].map(
            (spec) => `${each.name}@${spec}`,
          ),
        ]),
      ],
      lines: [
        ...section(
          "dependencies",
          Object.entries(all).map(([ident, spec]) => [
            ident,
            /^[\^~]/.test(spec) ? `npm:${spec}` : spec,
          ]),
        ),
        ...section(
          "peerDependencies",
          Object.entries(manifest["peerDependencies"] ?? {}),
        ),
      ],
    });
  }
  for (const [ident, ranges] of Object.entries(toy.versions)) {
    for (const spec of ["^1", "~1"] as const) {
      const resolution = `${ident}@npm:1.${ranges[spec]}.0`;
      const { dependencies, checksum } = toy.registry[
        `${ident}@${ranges[spec]}`
      ] ?? { dependencies: [], checksum: 0 };
      const block = blocks.get(resolution) ?? {
        keys: [],
        lines: [
          ...section(
            "dependencies",
            dependencies.map((on) => [on, "npm:^1.0.0"]),
          ),
          `  checksum: ${checksum}`,
        ],
      };
      block.keys.push(`${ident}@npm:${spec}.0.0`);
      blocks.set(resolution, block);
    }
  }
  return [...blocks]
    .map(
      ([resolution, { keys, lines }]) =>
        `"${keys.join(", ")}":\n  resolution: "${resolution}"\n${lines.map((line) => `${line}\n`).join("")}`,
    )
    .join("\n");
}

function section(
  name: string,
  pairs: readonly (readonly string[])[],
): string[] {
  return pairs.length === 0
    ? []
    : [
        `  ${name}:`,
        ...pairs.map(([ident, spec]) => `    ${ident}: "${spec}"`),
      ];
}

/**
 * Everything that the scripts of a package can see, by brute force: its own files, those of all that it depends on
 * (their tests aside, unless their source imports them), external packages with theirs, shared and vendored files.
 */
export function closureOf(own: ToyPackage, toy: Toy): string {
  const named = new Map(toy.packages.map((each) => [each.name, each]));
  const seen = new Set<string>([own.name]);
  const facts = new Set<string>([`own ${JSON.stringify([own.test])}`]);
  for (const name of seen) {
    const each = named.get(name);
    if (!each) {
      facts.add(`missing ${name}`);
      continue;
    }
    facts.add(
      JSON.stringify([
        name,
        each.dir,
        manifestOf(each, toy),
        each.source,
        each.uses,
        each.exposed,
      ]),
    );
    if (each.vendored) facts.add(`vendored ${toy.vendored}`);
    for (const [on, form] of each.dependencies) {
      seen.add(on);
      // A link is to a folder with all that is in it, other packages too.
      const linked = FORMS[form]?.[1] === "link" && named.get(on)?.dir;
      for (const inside of linked ? toy.packages : [])
        if (inside.dir.startsWith(`${linked}/`)) seen.add(inside.name);
    }
    const shared = new Set(each.uses);
    for (const path of shared) {
      facts.add(JSON.stringify([path, toy.shared[path]]));
      for (const used of toy.shared[path]?.uses ?? []) shared.add(used);
    }
    const externals = new Set(
      each.externals.map(
        ([ident, range]) => `${ident}@${toy.versions[ident]?.[range]}`,
      ),
    );
    // Each of its ranges by itself: that two change places is a change.
    for (const [ident, range] of each.externals)
      facts.add(`${name} ${ident} ${toy.versions[ident]?.[range]}`);
    for (const external of externals) {
      const release = toy.registry[external];
      facts.add(
        JSON.stringify([
          external,
          release,
          release?.dependencies.map((on) => toy.versions[on]?.["^1"]),
        ]),
      );
      for (const on of release?.dependencies ?? [])
        externals.add(`${on}@${toy.versions[on]?.["^1"]}`);
    }
  }
  return [...facts].toSorted().join("\n");
}
