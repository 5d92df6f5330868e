import { expect, test } from "@jest/globals";
import { gitIn, json, type Files, rootManifest } from "@skein/testing";
import { buildPair, migrate } from "../migrate.test.kit.js";
import { startRegistry } from "./registry.test.kit.js";

const published = {
  "linter@1.0.0": { plugin: "^1.0.0" },
  "plugin@1.0.0": {},
  "runner@1.0.0": {},
  "compiler@5.0.0": {},
  "compiler@5.1.0": {},
  "compiler@6.0.0": {},
  "locale@1.0.0": {},
};

/**
 * The linter doesn't provide its plugin's peer; the runner leaves its peer to its user, and that peer has a peer of its
 * own.
 */
const registryOf = () =>
  startRegistry(published, {
    "plugin@1.0.0": { compiler: ">=5 <6" },
    "runner@1.0.0": { compiler: ">=5" },
    "compiler@5.0.0": { locale: "1.0.0" },
    "compiler@5.1.0": { locale: "1.0.0" },
  });

async function bring(nodeLinker: string, source: Files) {
  await using registry = await registryOf();
  await using pair = await buildPair(
    [
      {
        files: {
          "package.json": json({
            name: "@acme/lib",
            version: "1.0.0",
            dependencies: { runner: "^1.0.0" },
            devDependencies: { linter: "^1.0.0" },
          }),
          ...source,
        },
      },
    ],
    [
      {
        files: {
          "package.json": rootManifest("monorepo"),
          ".gitignore": "node_modules\n.yarn\n.pnp.*\n",
          ".yarnrc.yml": registry.yarnrc.replace(
            /^nodeLinker:.*$/m,
            `nodeLinker: ${nodeLinker}`,
          ),
          "yarn.lock": "",
        },
      },
    ],
  );
  const { code, stdout, stderr } = await migrate(
    pair.target,
    ["add", "../lib"],
    { env: registry.env },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const show = (path: string) => gitIn(pair.target, "show", `HEAD:${path}`);
  const { dependencies, devDependencies } = JSON.parse(
    show("packages/lib/package.json"),
  ) as Record<string, unknown>;
  await registry.yarn(pair.target, "install", "--immutable");
  return {
    dependencies,
    devDependencies,
    notes: stdout
      .split("\n")
      .filter((line) => /^ {2}(?:done|warning|follow-up): .*peer/.test(line)),
    resolved: [
      ...show("yarn.lock").matchAll(/^ {2}resolution: "(.*)@npm:(.*)"$/gm),
    ].map(([, ident, version]) => `${ident} ${version}`),
  };
}

test("peers that npm installed automatically are declared, and their own peers too; the install is immutable", async () => {
  expect(await bring("node-modules", {})).toMatchInlineSnapshot(`
   {
     "dependencies": {
       "compiler": "^5.1.0",
       "locale": "1.0.0",
       "runner": "^1.0.0",
     },
     "devDependencies": {
       "linter": "^1.0.0",
     },
     "notes": [
       "  done: Declared: packages/lib/package.json: dependencies + compiler ^5.1.0 (the newest version that all packages that need it accept; a peer of runner, which npm and pnpm install automatically, but Yarn does not).",
       "  done: Declared: packages/lib/package.json: dependencies + locale 1.0.0 (the newest version that all packages that need it accept; a peer of compiler, which npm and pnpm install automatically, but Yarn does not).",
     ],
     "resolved": [
       "compiler 5.1.0",
       "linter 1.0.0",
       "locale 1.0.0",
       "plugin 1.0.0",
       "runner 1.0.0",
     ],
   }
  `);
});

test("the version is that of the package's own lockfile; peers that it lacks were missing in the source, too", async () => {
  const entry = (name: string, version: string, more: object = {}) => ({
    [`node_modules/${name}`]: {
      version,
      resolved: `https://registry.npmjs.org/${name}/-/${name}-${version}.tgz`,
      ...more,
    },
  });
  const lock = json({
    name: "@acme/lib",
    lockfileVersion: 3,
    packages: {
      "": {
        dependencies: { runner: "^1.0.0" },
        devDependencies: { linter: "^1.0.0" },
      },
      ...entry("runner", "1.0.0", { peerDependencies: { compiler: ">=5" } }),
      ...entry("linter", "1.0.0", { dependencies: { plugin: "^1.0.0" } }),
      ...entry("plugin", "1.0.0", { peerDependencies: { compiler: ">=5 <6" } }),
      ...entry("compiler", "5.0.0", { peer: true }),
    },
  });
  expect(await bring("node-modules", { "package-lock.json": lock }))
    .toMatchInlineSnapshot(`
   {
     "dependencies": {
       "compiler": "^5.0.0",
       "runner": "^1.0.0",
     },
     "devDependencies": {
       "linter": "^1.0.0",
     },
     "notes": [
       "  done: Declared: packages/lib/package.json: dependencies + compiler ^5.0.0 (the version in its own lockfile; a peer of runner, which npm and pnpm install automatically, but Yarn does not).",
     ],
     "resolved": [
       "compiler 5.0.0",
       "linter 1.0.0",
       "plugin 1.0.0",
       "runner 1.0.0",
     ],
   }
  `);
});

test("with Plug'n'Play, no package can provide a peer for another: the note contains the setting to add", async () => {
  const { notes } = await bring("pnp", {
    "package.json": json({
      name: "@acme/lib",
      devDependencies: { linter: "^1.0.0" },
    }),
  });
  expect(notes).toMatchInlineSnapshot(`
   [
     "  follow-up: compiler is a peer of plugin, below linter, which npm and pnpm install automatically, but Yarn does not. With this nodeLinker only linter can provide it; in .yarnrc.yml: packageExtensions: { "linter@*": { dependencies: { "compiler": ">=5 <6" } } }",
   ]
  `);
});

test("Yarn installed no peers in the source, and installs none here", async () => {
  const { notes } = await bring("node-modules", {
    "package.json": json({
      name: "@acme/lib",
      packageManager: "yarn@4.0.0",
      dependencies: { runner: "^1.0.0" },
    }),
  });
  expect(notes).toEqual([]);
});
