import type { MemoryFiles } from "../../memory-files.test.support.js";
import { FORMS, SCRIPTS } from "./toy.test.support.js";
import type { Toy, ToyFile, ToyPackage } from "./toy.test.support.js";

/** The paths of a package's files, from its folder. */
export const FILES: Readonly<Record<ToyFile, string>> = {
  source: "src/index.ts",
  test: "src/a.test.ts",
  exposed: "src/exposed.test.ts",
  deep: "src/deep.test.ts",
};

/** Returns all its files, with the yarn.lock that Yarn would write. */
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
  for (const [path, content] of Object.entries(toy.settings))
    files[path] = `${content}\n`;
  for (const [path, { content, uses, imports }] of Object.entries(toy.shared))
    files[path] = `${content} ${uses.join()} ${imports.join()}\n`;
  for (const each of toy.packages) {
    files[`${each.dir}/package.json`] = manifestOf(each, toy);
    const text = (file: ToyFile, ...words: readonly unknown[]) => {
      const imports = each.imports.filter(([, by]) => by === file);
      files[`${each.dir}/${FILES[file]}`] =
        `${[...words, ...imports].join(" ")}\n`;
    };
    text("source", each.source, each.uses);
    text("test", each.test, each.testUses);
    text("exposed", each.exposed);
    text("deep");
    files[`${each.dir}/README.md`] = `${each.readme}\n`;
  }
  return files;
}

/** Returns the text of its package.json. */
export function manifestOf(
  { name, dir, dependencies, externals, vendored, scripts }: ToyPackage,
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
  return {
    ...{ name, version: "1.0.0", scripts: SCRIPTS[scripts] ?? {} },
    ...fields,
  };
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
  // Without a target, there is no path to name.
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
