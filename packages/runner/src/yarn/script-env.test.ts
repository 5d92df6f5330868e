import { describe, expect, test } from "@jest/globals";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  json,
  rootManifest,
  tempDir,
  writeFiles,
  yarnIn,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";
import { planUnits } from "../order/plan-units.js";
import { scriptEnv } from "./script-env.js";
import { runUnits } from "../run-units.js";
import type { UnitResult } from "../unit.js";
import { openYarnProject } from "./yarn-project.js";

/**
 * A script that writes everything a script can see of its environment: the variables, and the programs of the wrapper
 * folder with the commands that they run. Only the folder's own name differs from run to run, also with Yarn itself.
 */
const dump = `
const fs = require("fs"), path = require("path");
const folder = process.env.BERRY_BIN_FOLDER;
const programs = Object.fromEntries(fs.readdirSync(folder).sort().map((name) => [name,
  fs.readFileSync(path.join(folder, name), "utf8").match(/exec .*/)[0].replace(/["']/g, "").replace(/ +/g, " ")]));
const variables = Object.fromEntries(Object.entries(process.env).sort()
  .map(([name, value]) => [name, value.replaceAll(folder, "<wrappers>")]));
fs.writeFileSync(process.env.INIT_CWD + "/dump.json", JSON.stringify({ cwd: process.cwd(), variables, programs }));
`;

const scripts = { dump: "node dump.cjs", bins: "ws-bin && vendored a && tool" };

function files(linker: string): Record<string, string> {
  return {
    "package.json": rootManifest("root"),
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: ${linker}\nyarnPath: ${yarnPath}\nenableGlobalCache: false\n`,
    "vendor/package.json": json({
      name: "vendored",
      version: "3.0.0",
      bin: "./cli.js",
    }),
    "vendor/cli.js": "console.log('vendored', ...process.argv.slice(2))",
    "vendor2/package.json": json({
      name: "@vendor/tool",
      version: "3.0.0",
      bin: "./cli.js",
    }),
    "vendor2/cli.js": "console.log(require('./package.json').name)",
    "packages/dep/package.json": json({
      name: "@m/dep",
      bin: {
        "ws-bin": "bin.js",
        "own-bin": "shadowed.js",
        // Yarn starts these themselves, without Node.
        shell: "shell.bin",
        elf: "elf",
        short: "short",
        absent: "absent",
      },
    }),
    "packages/dep/shell.bin": "#!/bin/sh\necho shell",
    "packages/dep/elf": "\u007fELF",
    "packages/dep/short": "1",
    "packages/dep/bin.js": "console.log('dep')",
    "packages/dep/shadowed.js": "",
    "packages/a b/package.json": json({
      name: "@m/a",
      version: "1.0.0",
      bin: { "own-bin": "own.js", other: "./x/y.js" },
      scripts,
      dependencies: { "@m/dep": "workspace:^", vendored: "file:../../vendor" },
      devDependencies: { "@vendor/tool": "file:../../vendor2" },
    }),
    "packages/a b/own.js": "",
    "packages/a b/dump.cjs": dump,
    "packages/esm/package.json": json({
      name: "@m/esm",
      type: "module",
      scripts,
    }),
    "packages/esm/dump.cjs": dump,
  };
}

async function ours(
  root: string,
  env: Record<string, string>,
  workspace: string,
  dir: string,
  script: string,
): Promise<UnitResult | undefined> {
  const project = await openYarnProject({ root, env, node: process });
  const version = workspace === "@m/a" ? { version: "1.0.0" } : {};
  const { results } = await runUnits(
    planUnits({
      workspaces: [{ name: workspace, dir, ...version, scripts }],
      edges: [],
      scripts: [script],
    }),
    { project, concurrency: 1, now: () => performance.now() },
  );
  return results[0];
}

async function dumped(root: string, dir: string): Promise<unknown> {
  return JSON.parse(await readFile(join(root, dir, "dump.json"), "utf8"));
}

describe.each(["node-modules", "pnp"])("with the linker %s", (linker) => {
  test("a script sees exactly what `yarn run` gives it", async () => {
    await using dir = await tempDir("skein env ");
    await using outer = await tempDir();
    const root = dir.path;
    await writeFiles(outer.path, { ".pnp.cjs": "", ".pnp.loader.mjs": "" });
    await writeFiles(root, files(linker));
    await yarnIn(root, "install");
    const compare = async (
      env: Record<string, string>,
      workspace: string,
      folder: string,
    ) => {
      await promisify(execFile)(process.execPath, [yarnPath, "run", "dump"], {
        cwd: join(root, folder),
        env,
      });
      const real = await dumped(root, folder);
      await writeFiles(root, { [`${folder}/dump.json`]: "" });
      const result = await ours(root, env, workspace, folder, "dump");
      expect(result).toMatchObject({ status: "passed", via: "shell" });
      expect(await dumped(root, folder)).toEqual(real);
    };
    const env = yarnTestEnv();
    await compare(env, "@m/a", "packages/a b");
    await compare(
      {
        ...env,
        NODE_OPTIONS: `--no-deprecation --require ${outer.path}/.pnp.cjs --experimental-loader file://${outer.path}/.pnp.loader.mjs`,
        npm_package_name: "outer",
        npm_lifecycle_event: "outer",
        INIT_CWD: "/",
      },
      "@m/esm",
      "packages/esm",
    );

    const result = await ours(root, env, "@m/a", "packages/a b", "bins");
    expect(result && "output" in result && result.output.text).toBe(
      "dep\nvendored a\n@vendor/tool\n",
    );
  });
});

describe("features that only Yarn supports", () => {
  test.each([
    [
      "injected environment files",
      { ".env.yarn": "SECRET=from-file\n" },
      "from-file",
      "Yarn injects environment files into its scripts",
    ],
    [
      "a plugin's hook",
      {
        "hook.cjs": `module.exports = { name: "hook", factory: () => ({ hooks: { setupScriptEnvironment(_, env) { env.SECRET = "from-hook"; } } }) };`,
        ".yarnrc.yml": `plugins:\n  - ./hook.cjs\n\nyarnPath: ${yarnPath}\nnodeLinker: node-modules\n`,
      },
      "from-hook",
      "the Yarn plugin ./hook.cjs may change a script's environment",
    ],
  ])(
    "%s: the script runs through `yarn run`, and the result contains the reason",
    async (_name, extra, secret, reason) => {
      await using dir = await tempDir();
      const scripts = { show: "echo $SECRET; node -e 'process.exit(3)'" };
      await writeFiles(dir.path, {
        "package.json": json({ name: "root", private: true, scripts }),
        "yarn.lock": "",
        ".yarnrc.yml": `yarnPath: ${yarnPath}\nnodeLinker: node-modules\n`,
        ...extra,
      });
      await yarnIn(dir.path, "install");
      const project = await openYarnProject({
        root: dir.path,
        env: yarnTestEnv(),
        node: process,
      });
      const { results } = await runUnits(
        planUnits({
          workspaces: [{ name: "root", dir: ".", scripts }],
          edges: [],
          scripts: ["show"],
        }),
        { project, concurrency: 1, now: () => performance.now() },
      );
      expect(results).toMatchObject([
        {
          status: "failed",
          exitCode: 3,
          via: "yarn",
          viaReason: reason,
          output: { text: `${secret}\n` },
        },
      ]);
    },
  );

  test.each([
    ["without these hooks", "afterAllInstalled", undefined],
    [
      "with one of them",
      "wrapScriptExecution",
      "the Yarn plugin .yarn/plugins/plugin-x.cjs may change a script's environment",
    ],
  ])(
    "a plugin %s, in the form that `yarn plugin import https://…` writes",
    async (_name, hook, needsYarn) => {
      await using dir = await tempDir();
      await writeFiles(dir.path, {
        "package.json": json({ name: "root", private: true }),
        ".yarn/plugins/plugin-x.cjs": `module.exports = { name: "x", factory: () => ({ hooks: { ${hook}() {} } }) };`,
        ".yarnrc.yml":
          'plugins:\n  - path: .yarn/plugins/plugin-x.cjs\n    spec: "https://example.com/plugin-x.js"\n    checksum: 0a\n  - { path: .yarn/plugins/plugin-x.cjs, spec: https://example.com/y.cjs }\n',
      });
      const project = await openYarnProject({
        root: dir.path,
        env: yarnTestEnv(),
        node: process,
      });
      expect(project.needsYarn).toBe(needsYarn);
    },
  );
});

test.each([
  ["--require /outer/.pnp.cjs", undefined],
  [
    "--require /o/.pnp.cjs --experimental-loader file:///o/.pnp.loader.mjs",
    undefined,
  ],
  ["--experimental-package-map=/o/map.json", undefined],
  [
    "--require /outer/.pnp.cjs --max-old-space-size=99",
    "--max-old-space-size=99",
  ],
  ["--require ./mine.cjs", "--require ./mine.cjs"],
  [undefined, undefined],
])(
  "with NODE_OPTIONS %j, the part that an outer Yarn added is removed",
  (options, own) => {
    const project = {
      root: "/ws",
      env: { NODE_OPTIONS: options },
      node: process,
      yarn: undefined,
      linker: "node-modules",
      pnpLoader: false,
      needsYarn: undefined,
    } as const;
    const unit = { workspace: "a", version: "", dir: "a", script: "test" };
    const env = scriptEnv({
      project,
      unit,
      binFolder: "/bins",
      yarnVersion: undefined,
    });
    expect(env["NODE_OPTIONS"]).toBe(own);
  },
);
