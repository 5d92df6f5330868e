import { buildHistory } from "./history.js";
import { type Files, json } from "./temp-dir.js";

export interface BigWorkspaceSpec {
  /** The number of packages without the application. Each has ten files. */
  readonly packages: number;
  /** Files to add or replace, by path: settings of other tools, another root manifest. */
  readonly extra?: Files;
}

const LAYERS = 10;

/**
 * Creates a synthetic workspace for benchmarks. It has layers of packages, and each package depends on 4 to 6 packages
 * in the layers below (the first layer has no dependencies). One application is on top of the last layer. The yarn.lock
 * is as Yarn would write it. The result is always the same. Packages are called `@big/p0`, `@big/p1`, … and are in
 * `packages/p0`, …; the application is `@big/app` in `apps/app`.
 */
export function bigWorkspace({
  packages,
  extra = {},
}: BigWorkspaceSpec): Files {
  const files: Record<string, Files[string]> = {
    "package.json": json({
      name: "big",
      private: true,
      packageManager: "yarn@4.18.1",
      workspaces: ["packages/*", "apps/*"],
    }),
    ".yarnrc.yml": "nodeLinker: node-modules\n\nenableTelemetry: false\n",
    ".gitignore": "node_modules\ndist\n.yarn/*\n.pnp.*\n",
    "tsconfig.json": json({
      compilerOptions: { strict: true, module: "nodenext" },
    }),
    "README.md": "# big\n",
  };
  const all = members(packages);
  for (const member of all) writePackage(files, member);
  files["yarn.lock"] = lockfile(all);
  return { ...files, ...extra };
}

/** Writes a big workspace as a git repository with one commit, checked out. */
export function buildBigWorkspace(dir: string, spec: BigWorkspaceSpec): void {
  buildHistory(dir, [{ files: bigWorkspace(spec) }]);
}

interface Member {
  readonly name: string;
  readonly dir: string;
  readonly dependencies: readonly string[];
}

function members(count: number): readonly Member[] {
  const random = generator(20_260_101);
  const perLayer = Math.max(1, Math.ceil(count / LAYERS));
  const all: Member[] = [];
  for (let i = 0; i < count; i++) {
    const layer = Math.floor(i / perLayer);
    const below = layer * perLayer;
    const dependencies = new Set<string>();
    const wanted = Math.min(below, 4 + (random() % 3));
    // Most dependencies of a package are one layer down, the others anywhere below.
    while (dependencies.size < wanted) {
      const near = random() % 4 > 0;
      const first = near && perLayer >= wanted ? below - perLayer : 0;
      dependencies.add(`@big/p${first + (random() % (below - first))}`);
    }
    all.push({
      name: `@big/p${i}`,
      dir: `packages/p${i}`,
      dependencies: [...dependencies].sort(),
    });
  }
  const top = all.slice(-perLayer).map(({ name }) => name);
  return [
    ...all,
    { name: "@big/app", dir: "apps/app", dependencies: top.sort() },
  ];
}

function writePackage(
  files: Record<string, Files[string]>,
  { name, dir, dependencies }: Member,
): void {
  const write = (path: string, content: string) =>
    (files[`${dir}/${path}`] = content);
  write(
    "package.json",
    json({
      name,
      version: "1.0.0",
      private: true,
      type: "module",
      exports: "./src/index.ts",
      scripts: { build: "node -e 0", test: "node -e 0" },
      ...(dependencies.length > 0 && {
        dependencies: Object.fromEntries(
          dependencies.map((other) => [other, "workspace:^"]),
        ),
      }),
    }),
  );
  write("README.md", `# ${name}\n`);
  write(
    "tsconfig.json",
    json({ extends: "../../tsconfig.json", include: ["src", "test"] }),
  );
  const imports = dependencies
    .map((other, i) => `import { describe as d${i} } from "${other}";\n`)
    .join("");
  const uses = dependencies.map((_, i) => `d${i}()`).join(", ");
  write(
    "src/index.ts",
    `${imports}import { label } from "./format.js";\nexport * from "./model.js";\n\nexport function describe(): string {\n  return label("${name}", [${uses}]);\n}\n`,
  );
  write(
    "src/format.ts",
    `/** One line for a name and what it is made of. */\nexport function label(name: string, parts: readonly string[]): string {\n  return parts.length === 0 ? name : \`\${name}(\${parts.join(", ")})\`;\n}\n`,
  );
  for (const module of ["model", "store", "view"]) {
    const before =
      module === "model" ? "" : `import type { Model } from "./model.js";\n\n`;
    const members = Array.from(
      { length: 8 },
      (_, i) => `  readonly field${i}: string;\n`,
    ).join("");
    const body =
      module === "model"
        ? `export interface Model {\n${members}}\n`
        : `export function ${module}(model: Model): readonly string[] {\n  // ${name}\n  return Object.values(model).filter((value) => value !== "");\n}\n`;
    write(`src/${module}.ts`, `${before}${body}`);
  }
  for (const module of ["index", "format"])
    write(
      `test/${module}.test.ts`,
      `import { expect, test } from "@jest/globals";\nimport * as subject from "../src/${module}.js";\n\ntest("${name}: ${module}", () => {\n  expect(Object.keys(subject)).not.toEqual([]);\n});\n`,
    );
}

/** Returns the yarn.lock of these packages, which have no other dependencies, as Yarn 4 writes it. */
function lockfile(all: readonly Member[]): string {
  const wanted = new Set(all.flatMap(({ dependencies }) => dependencies));
  const blocks = [...all, { name: "big", dir: ".", dependencies: [] }].map(
    ({ name, dir, dependencies }) => {
      const self = `${name}@workspace:${dir}`;
      const key = wanted.has(name) ? `${name}@workspace:^, ${self}` : self;
      const lines = dependencies
        .map((other) => `    "${other}": "workspace:^"\n`)
        .join("");
      return {
        key,
        text: `"${key}":\n  version: 0.0.0-use.local\n  resolution: "${self}"\n${lines && `  dependencies:\n${lines}`}  languageName: unknown\n  linkType: soft\n`,
      };
    },
  );
  blocks.sort((a, b) => (a.key < b.key ? -1 : 1));
  return `# This file is generated by running "yarn install" inside your project.\n# Manual changes might be lost - proceed with caution!\n\n__metadata:\n  version: 10\n  cacheKey: 10c0\n\n${blocks.map(({ text }) => text).join("\n")}`;
}

/**
 * Returns a linear congruential generator (Numerical Recipes' constants), which generates the same numbers on every
 * machine.
 */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}
