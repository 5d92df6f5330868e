import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import {
  bigWorkspace,
  buildHistory,
  gitIn,
  json,
  writeFiles,
  yarnIn,
  yarnPath,
} from "@skein/testing";
import type { Files } from "@skein/testing";
import { addOrigin, linkTool } from "../make-site.js";
import { membersOf, type Member } from "../site.js";
import type { Runner } from "./runners.js";

/** A workspace in which all runners run. */
export interface ReplaySite {
  /** The folder, absolute. */
  readonly dir: string;
  readonly members: readonly Member[];
  /** A source of a package without dependents, relative to `dir`. */
  readonly leaf: string;
  /** A source of a package in the middle of the graph. */
  readonly middle: string;
  /** Folders to add to `PATH`. */
  readonly bins: readonly string[];
}

/** An installed tool. */
export interface Contestant {
  readonly runner: Runner;
  readonly modules: string;
}

/** The cache of Jest's own transforms, from the workspace's root. All runners use it, so a cold run deletes it. */
export const JEST_CACHE = "node_modules/.cache/jest";

const IGNORED =
  "node_modules\n.yarn/*\n.pnp.*\n.nx\n.turbo\n.env.local\ngenerated\nnx-*\n";

/** Writes, installs and commits a workspace with every tool's settings and programs. */
export async function writeSite(
  dir: string,
  files: Files,
  contestants: readonly Contestant[],
): Promise<void> {
  await rm(dir, { recursive: true, force: true, maxRetries: 9 });
  await mkdir(dir, { recursive: true });
  const settings = contestants.map(({ runner }) => runner.settings);
  buildHistory(dir, [
    {
      files: Object.assign({ ".gitignore": IGNORED }, files, ...settings, {
        ".gitignore": IGNORED,
      }) as Files,
    },
  ]);
  await yarnIn(dir, "install", "--mode=skip-build");
  gitIn(dir, "add", "--all");
  gitIn(dir, "commit", "--quiet", "--allow-empty", "--message", "installed");
  addOrigin(dir);
  for (const { runner, modules } of contestants)
    await linkTool(dir, modules, runner.tool);
}

/** Generates a workspace of packages with three Jest suites each, or with a trivial script. */
export async function makeReplaySite(
  folder: string,
  { packages, kind }: { readonly packages: number; readonly kind: Kind },
  installed: readonly Contestant[],
): Promise<ReplaySite> {
  const dir = join(folder, `workspace-${kind}`);
  // The application is one of the packages.
  const big = bigWorkspace({ packages: packages - 1 });
  const members = membersOf(big);
  await writeSite(dir, kind === "jest" ? jestFiles(members) : big, installed);
  const middle = members[Math.floor(members.length / 2)];
  const leaf = members.at(-1);
  const source = kind === "jest" ? "src/index.js" : "src/store.ts";
  return {
    dir,
    members,
    leaf: `${leaf?.dir ?? "."}/${source}`,
    middle: `${middle?.dir ?? "."}/${source}`,
    bins: [await yarnBin(folder)],
  };
}

export type Kind = "jest" | "trivial";

/** Returns a folder with a `yarn` that starts as fast as Corepack's: from compiled code. */
export async function yarnBin(folder: string): Promise<string> {
  return program(folder, "bin-yarn", `exec node "${yarnPath}" "$@"`);
}

/** Returns a folder with a `yarn` that starts no script. It replaces `yarn run test` if the script is `node -e 0`. */
export async function idleYarnBin(folder: string): Promise<string> {
  return program(
    folder,
    "bin-idle",
    `case "$1" in run | test) exit 0;; esac\nexec node "${yarnPath}" "$@"`,
  );
}

async function program(folder: string, name: string, text: string) {
  const dir = join(folder, name);
  await writeFiles(dir, { yarn: { executable: `#!/bin/sh\n${text}\n` } });
  return dir;
}

function jestFiles(members: readonly Member[]): Files {
  const files: Record<string, string> = {
    "package.json": json({
      name: "big",
      private: true,
      packageManager: "yarn@4.18.1",
      workspaces: ["packages/*", "apps/*"],
      // Newer versions name platforms that the registry doesn't have.
      resolutions: { "unrs-resolver": "1.12.2" },
    }),
    ".yarnrc.yml": "nodeLinker: node-modules\n\nenableTelemetry: false\n",
  };
  for (const { name, dir, dependencies } of members) {
    files[`${dir}/package.json`] = json({
      name,
      version: "1.0.0",
      private: true,
      main: "src/index.js",
      scripts: { test: "jest --ci" },
      jest: { cacheDirectory: `<rootDir>/../../${JEST_CACHE}` },
      dependencies: Object.fromEntries(
        dependencies.map((other) => [other, "workspace:^"]),
      ),
      devDependencies: { jest: "30.5.2" },
    });
    files[`${dir}/src/index.js`] =
      `${dependencies.map((other, i) => `const d${i} = require("${other}");\n`).join("")}\nexports.name = "${name}";\nexports.size = () => 1${dependencies.map((_, i) => ` + (d${i}.name ? 1 : 0)`).join("")};\n`;
    files[`${dir}/src/text.js`] =
      'exports.words = (text) => text.split(/\\W+/).filter((word) => word !== "");\nexports.title = (text) => exports.words(text).map((word) => word[0].toUpperCase() + word.slice(1)).join(" ");\n';
    files[`${dir}/src/list.js`] =
      "exports.sum = (list) => list.reduce((sum, each) => sum + each, 0);\nexports.chunks = (list, size) => list.length === 0 ? [] : [list.slice(0, size), ...exports.chunks(list.slice(size), size)];\n";
    files[`${dir}/test/index.test.js`] =
      `const { name, size } = require("..");\n\ntest("its name", () => expect(name).toBe("${name}"));\ntest("its dependencies", () => expect(size()).toBe(${dependencies.length + 1}));\n`;
    files[`${dir}/test/text.test.js`] =
      'const { title, words } = require("../src/text");\n\ntest.each([["a b", ["a", "b"]], ["", []], ["x, y!", ["x", "y"]]])("words of %j", (text, all) => expect(words(text)).toEqual(all));\ntest("a title", () => expect(title("one two")).toBe("One Two"));\n';
    files[`${dir}/test/list.test.js`] =
      'const { chunks, sum } = require("../src/list");\n\ntest("a sum", () => expect(sum([1, 2, 3])).toBe(6));\ntest("chunks", () => expect(chunks([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]));\n';
  }
  return files;
}
