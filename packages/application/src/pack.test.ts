import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  certificates,
  gitIn,
  json,
  startFakeGitHub,
  tempDir,
  writeFiles,
  yarnPath,
  yarnRunner,
} from "@skein/testing";
import { publint } from "publint";
import { fetchNpmFiles } from "./npm-file.js";
import { packAll, repositoryFile, skeinRoot, tarballRange } from "./packed.js";
import type { Tarball } from "./packed.js";
import { runProgram } from "./process.js";

/** The further releases of Node that start the tools. */
const NODES = [22, 24];

let folder: Awaited<ReturnType<typeof tempDir>>;
let tarballs: readonly Tarball[];
beforeAll(async () => {
  folder = await tempDir();
  const yarn3 = join(folder.path, "yarn-3/release.js");
  [tarballs] = await Promise.all([
    packAll(join(folder.path, "tarballs")),
    fetchNpmFiles(folder.path, {
      // Our own dependencies don't include it, because there must be only one package with a bin `yarn`.
      "yarn-3/release.js": {
        spec: "@yarnpkg/cli-dist@3.8.7",
        path: "bin/yarn.js",
      },
      ...Object.fromEntries(
        NODES.map((version) => [
          `node${version}`,
          {
            spec: `node-${process.platform}-${process.arch}@${version}`,
            path: "bin/node",
            mode: 0o755,
          },
        ]),
      ),
    }),
    writeFiles(folder.path, {
      "yarn-3/yarn.cjs": `require(${JSON.stringify(yarnRunner)})(${JSON.stringify(yarn3)}, ${JSON.stringify(`${yarn3}.compiled`)});\n`,
    }),
  ]);
}, 240_000);
afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

describe("a packed package", () => {
  test("exists for each tool and for the plugin, and for nothing else", () => {
    expect(tarballs.map(({ name }) => name)).toEqual([
      "@skein/affected",
      "@skein/ci-dispatch",
      "@skein/migrate-repo",
      "@skein/yarn-plugin",
    ]);
  });

  test("depends only on packages of this workspace that are packed too, with their versions", () => {
    const ours = tarballs.flatMap(({ name, manifest }) =>
      Object.entries(manifest.dependencies ?? {})
        .filter(([on, range]) => /^@skein\/|workspace:/.test(on + range))
        .map((dependency) => [name, ...dependency]),
    );
    expect(ours).toEqual([["@skein/ci-dispatch", "@skein/affected", "^0.1.0"]]);
  });

  test("needs no other package to judge and to write, and only the parser to plan", async () => {
    const alone = join(folder.path, "alone/package");
    await mkdir(alone, { recursive: true });
    const tool = tarballs.find(({ name }) => name === "@skein/ci-dispatch");
    await runProgram(alone, "tar", "-xzf", tool?.file ?? "", "-C", "..");
    await using temp = await tempDir();
    gitIn(temp.path, "init", "--quiet", "--bare", "remote.git");
    gitIn(temp.path, "init", "--quiet", "work");
    const work = join(temp.path, "work");
    gitIn(work, "remote", "add", "origin", "../remote.git");
    const fixtures = join(skeinRoot, "tools/ci-dispatch/fixtures/verdict");
    await cp(fixtures, work, { recursive: true });
    await using github = await startFakeGitHub();
    github.addRepository("acme/shop", { dir: join(temp.path, "remote.git") });
    const env = {
      GITHUB_API_URL: github.url,
      GITHUB_REPOSITORY: "acme/shop",
      GITHUB_SHA: "a".repeat(40),
      GITHUB_TOKEN: "x",
    };
    const ends: [number, ...string[]][] = [
      [0, "retry"],
      [1, "verdict", "--report=verdict.json"],
      [0, "history", "append", "--anywhere", "--verdict=verdict.json"],
      [0, "history", "show"],
      [0, "publish", "--verdict=verdict.json"],
      [0, "metrics", "sync"],
    ];
    for (const [code, ...args] of ends) {
      const bin = join(alone, "bin/ci-dispatch.js");
      const ended = await runProgram(
        { cwd: work, env },
        process.execPath,
        bin,
        ...args,
      );
      expect({ args, ...ended }).toMatchObject({ args, exitCode: code });
    }
  });

  test("contains each of its files that a document names", () => {
    const named = ["settings", "migrating"].flatMap((document) => [
      ...repositoryFile(`docs/${document}.md`).matchAll(
        /\.\/node_modules\/(?<name>@skein\/[\w-]+)\/(?<path>[\w./-]+)/g,
      ),
    ]);
    expect(named.length).toBeGreaterThanOrEqual(2);
    for (const { groups: { name, path } = {} } of named) {
      const { paths } = tarballs.find((each) => each.name === name) ?? {};
      expect(paths).toContain(path);
    }
  });

  test("contains what its manifest promises", () => {
    for (const { name, manifest, paths } of tarballs) {
      const { bin = {}, exports = {} } = manifest;
      const targets = [
        ...(typeof bin === "string" ? [bin] : Object.values(bin)),
        ...Object.values(exports).filter((path) => typeof path === "string"),
      ];
      for (const target of targets) {
        const [before = "", after = ""] = target
          .replace(/^\.\//, "")
          .split("*");
        const found = paths.some(
          (path) =>
            path.startsWith(before) &&
            (target.includes("*") ? path.endsWith(after) : path === before),
        );
        expect({ name, target, found }).toEqual({ name, target, found: true });
      }
    }
  });

  test("passes publint, and publishes no types for attw to check", async () => {
    for (const { name, file, manifest, paths } of tarballs) {
      const { messages } = await publint({
        pack: { tarball: new Uint8Array(await readFile(file)).buffer },
        strict: true,
      });
      expect({ name, messages }).toEqual({ name, messages: [] });
      expect(paths.filter((path) => /\.d\.[cm]?ts$/.test(path))).toEqual([]);
      expect(manifest).not.toHaveProperty("types");
    }
  });

  test("names nothing private, and is public on npm", () => {
    for (const { name, manifest } of tarballs) {
      expect(Object.keys(manifest)).not.toContain("devDependencies");
      expect(Object.keys(manifest)).not.toContain("scripts");
      expect({ name, ...manifest.publishConfig }).toEqual({
        name,
        access: "public",
      });
    }
  });

  test("contains the licence of each bundled package, and lists each in its bill of materials", async () => {
    for (const { name, file, paths } of tarballs) {
      if (!paths.includes("bundle/main.cjs")) continue;
      const read = async (path: string) => {
        const args = ["-xzOf", file, `package/bundle/${path}`];
        return (await runProgram(".", "tar", ...args)).stdout;
      };
      const { components } = JSON.parse(await read("sbom.cdx.json")) as {
        components: { name: string; licenses: unknown[] }[];
      };
      const texts = await read("LICENSES.txt");
      const missing = components.filter(
        (each) => !texts.split("\n").includes(each.name),
      );
      expect({ name, missing }).toEqual({ name, missing: [] });
      expect(components.length).toBeGreaterThan(5);
    }
  });

  test("works in an npm workspace, in a folder with spaces", async () => {
    const { exitCode, stderr } = await runProgram(
      { cwd: skeinRoot, env: certificates },
      process.execPath,
      ...[
        "scripts/release/try-packed.mjs",
        join(folder.path, "tarballs"),
        "npm",
      ],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  });

  test("contains no tests, no source maps without sources, and no files of the build itself", () => {
    const stray = tarballs.flatMap(({ name, paths }) =>
      paths
        .filter((path) =>
          /\.test\.|\.map$|tsbuildinfo|fixtures|^src\/.*\.ts$/.test(path),
        )
        .map((path) => `${name}: ${path}`),
    );
    expect(stray).toEqual([]);
  });
});

describe.each([
  { name: "Yarn 4, node-modules", major: 4, linker: "node-modules" },
  { name: "Yarn 4, PnP", major: 4, linker: "pnp" },
  { name: "Yarn 3, node-modules", major: 3, linker: "node-modules" },
])("installed into a workspace of $name", ({ name, major, linker }) => {
  let root: string;
  const yarnWith = (env: NodeJS.ProcessEnv, dir: string, ...args: string[]) => {
    const yarn = major === 4 ? yarnPath : join(folder.path, "yarn-3/yarn.cjs");
    const cwd = join(root, dir);
    return runProgram({ cwd, env }, process.execPath, yarn, ...args);
  };
  const yarnAt = (dir: string, ...args: string[]) => yarnWith({}, dir, ...args);

  beforeAll(async () => {
    root = join(folder.path, name.replaceAll(/\W+/g, "-"));
    await makeConsumer(root, linker);
    // The linker doesn't matter for the versions, which the same Yarn has chosen before.
    const locked = join(folder.path, "Yarn-4-node-modules/yarn.lock");
    if (linker === "pnp" && existsSync(locked))
      await cp(locked, join(root, "yarn.lock"));
    const install = await yarnWith(certificates, ".", "install");
    if (install.exitCode !== 0) throw new Error(install.stdout);
    gitIn(root, "init", "--quiet", "--initial-branch=main");
    gitIn(root, "add", "--all");
    gitIn(root, "commit", "--quiet", "--message=first");
    await writeFiles(root, {
      "packages/core/index.js": "export const one = 1.0;\n",
    });
  }, 240_000);

  test("yarn affected list, through the bin", async () => {
    expect(await yarnAt(".", "run", "affected", "list")).toEqual({
      exitCode: 0,
      stdout: "app\ncore\n",
      stderr: "",
    });
  });

  test("yarn affected list in a subfolder, through the plugin", async () => {
    expect(await yarnAt("packages/app", "affected", "list")).toEqual({
      exitCode: 0,
      stdout: "app\ncore\n",
      stderr: "",
    });
  });

  // npx looks for node_modules/.bin, which doesn't exist with PnP.
  if (linker === "node-modules") {
    test("npx affected list in a subfolder", async () => {
      const { exitCode, stdout } = await runProgram(
        join(root, "packages/app"),
        "npx",
        ...["--no-install", "affected", "list"],
      );
      expect({ exitCode, stdout }).toEqual({
        exitCode: 0,
        stdout: "app\ncore\n",
      });
    });

    // The other half of the code takes a fifth of the time of a later `list`.
    test("a later list loads only the first file of the program", async () => {
      const bundle = join(root, "node_modules/@skein/affected/bundle");
      await yarnAt(".", "run", "affected", "list");
      await rename(join(bundle, "rest.cjs"), join(bundle, "away.cjs"));
      try {
        expect(await yarnAt(".", "run", "affected", "list")).toEqual({
          exitCode: 0,
          stdout: "app\ncore\n",
          stderr: "",
        });
      } finally {
        await rename(join(bundle, "away.cjs"), join(bundle, "rest.cjs"));
      }
    });
  }

  test("yarn affected list --pr, with a client that is loaded only for this", async () => {
    await using github = await startFakeGitHub();
    expect(
      await yarnWith(
        { GITHUB_API_URL: github.url },
        ".",
        ...["affected", "list", "--pr", "acme/shop#1"],
      ),
    ).toMatchObject({ exitCode: 3, stdout: "" });
    expect(github.requests.map(({ status }) => status)).toEqual([404]);
  });

  test("yarn affected test", async () => {
    const { exitCode, stdout, stderr } = await yarnAt(".", "affected", "test");
    expect(exitCode).toBe(0);
    expect(`${stdout}${stderr}`).toContain("core#test");
    expect(`${stdout}${stderr}`).toContain("app#test");
    expect(`${stdout}${stderr}`).not.toContain("other#test");
  });

  // ci-dispatch starts itself and `affected` in their installed form.
  if (linker === "pnp") {
    test("yarn ci-dispatch run", async () => {
      const { exitCode, stdout } = await yarnAt(
        ".",
        ...["run", "ci-dispatch", "run", "--workers", "1"],
      );
      expect({ exitCode, words: stdout.split(" (")[0] }).toEqual({
        exitCode: 0,
        words: "green: 2 passed",
      });
    });
  }

  if (major === 4 && linker === "node-modules") {
    test.each(NODES)("every tool, on Node %d", async (version) => {
      const node = join(folder.path, `node${version}`);
      for (const tool of ["affected", "ci-dispatch", "migrate-repo"]) {
        const bin = join(root, `node_modules/@skein/${tool}/bin/${tool}.js`);
        // The first run may cache compiled code, and the next one may use it.
        for (const time of [1, 2])
          expect({
            time,
            ...(await runProgram(root, node, bin, "--version")),
          }).toEqual({ time, exitCode: 0, stdout: "0.1.0\n", stderr: "" });
      }
      const bin = join(root, "node_modules/@skein/affected/bin/affected.js");
      expect(await runProgram(root, node, bin, "list")).toEqual({
        exitCode: 0,
        stdout: "app\ncore\n",
        stderr: "",
      });
    });
  }

  test("yarn affected graph --format html", async () => {
    const { exitCode, stdout } = await yarnAt(
      ".",
      ...["affected", "graph", "--format", "html"],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>/i);
    expect(stdout).toContain("</html>");
  });
});

/** Builds a workspace with the tools installed from tarballs: app depends on core, and other has no dependencies. */
async function makeConsumer(root: string, linker: string): Promise<void> {
  const manifest = (name: string, dependencies?: Record<string, string>) =>
    json({
      name,
      version: "1.0.0",
      type: "module",
      exports: "./index.js",
      scripts: { test: "node test.js" },
      dependencies,
    });
  const ranges = Object.fromEntries(
    tarballs.map((tarball) => [tarball.name, tarballRange(tarball)]),
  );
  await mkdir(root, { recursive: true });
  await cp(
    join(skeinRoot, "packages/yarn-plugin/plugin.cjs"),
    join(root, ".yarn/plugins/skein.cjs"),
  );
  await writeFiles(root, {
    ".gitignore": "node_modules\n.yarn/install-state.gz\n.yarn/unplugged\n",
    // Yarn 3's mirror identifies a tarball by its path, so it would install those of an earlier run. Yarn 4 doesn't
    // compress by default, and Yarn 3 does.
    ".yarnrc.yml": `nodeLinker: ${linker}\nenableMirror: false\ncompressionLevel: 0\nplugins:\n  - ./.yarn/plugins/skein.cjs\n`,
    "package.json": json({
      name: "consumer",
      private: true,
      workspaces: ["packages/*"],
      devDependencies: {
        "@skein/affected": ranges["@skein/affected"],
        "@skein/ci-dispatch": ranges["@skein/ci-dispatch"],
        "@skein/migrate-repo": ranges["@skein/migrate-repo"],
      },
      // Our packages depend on each other by version, and that version isn't on the registry yet.
      resolutions: ranges,
    }),
    "packages/core/package.json": manifest("core"),
    "packages/core/index.js": "export const one = 1;\n",
    "packages/core/test.js":
      'import { one } from "./index.js";\nif (one !== 1) throw new Error("one");\n',
    "packages/app/package.json": manifest("app", { core: "workspace:^" }),
    "packages/app/index.js": 'export { one } from "core";\n',
    "packages/app/test.js":
      'import { one } from "core";\nif (one !== 1) throw new Error("one");\n',
    "packages/other/package.json": manifest("other"),
    "packages/other/index.js": "export {};\n",
    "packages/other/test.js": "process.exitCode = 1;\n",
  });
}
