import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { runCli } from "@skein/reporting";
import {
  buildHistory,
  gitIn,
  gitTestEnv,
  json,
  suiteDir,
} from "@skein/testing";
import type { Files } from "@skein/testing";
import { openFingerprints } from "../fingerprints/fingerprints.js";
import { lookAtTree } from "../fingerprints/look.js";
import { affected } from "../run.js";
import { misfits } from "../schemas.test.support.js";
import type { AffectedWorld } from "../world.js";
import { run } from "./affected.test.kit.js";

const manifest = (name: string, test: string, more: object = {}) =>
  json({ name, version: "1.0.0", scripts: { test }, ...more });

/** `app` declares `ui`, and uses `core` by a path and a folder of the root. `alone` uses none of them. */
const FILES: Files = {
  "package.json": json({
    name: "shop",
    private: true,
    workspaces: ["packages/*"],
    scripts: { prepare: "node -e 0" },
  }),
  ".gitignore": ".env.local\ngenerated\n",
  "skein.json": json({
    pipeline: { test: ["build"] },
    cache: { env: ["!GITHUB_RUN_ID"] },
  }),
  "shared/x.js": "module.exports = 1;\n",
  "jest.setup.js": "globalThis.a = 1;\n",
  "jest.config.js": "module.exports = { setupFiles: ['./jest.setup.js'] };\n",
  "packages/app/package.json": manifest(
    "app",
    "GREETING=$SALUTE jest && yarn run -T prepare",
    {
      dependencies: { ui: "workspace:^" },
    },
  ),
  "packages/app/index.js":
    "require('ui'); require('../../shared/x.js'); require('../core/inner.js');\n",
  "packages/app/a.txt": "a\n",
  "packages/app/b.txt": "b\n",
  "packages/app/link": { symlink: "../../../outside.txt" },
  "packages/ui/package.json": manifest("ui", "node test.js"),
  "packages/ui/index.js": "module.exports = process.env.THEME;\n",
  "packages/ui/index.test.js": "require('./index.js');\n",
  "packages/core/package.json": manifest("core", "node test.js"),
  "packages/core/inner.js": "const { LEVEL, GITHUB_RUN_ID } = process.env;\n",
  "packages/alone/package.json": manifest("alone", "node test.js"),
  "packages/alone/index.js": "exports.X = 1;\n",
  "packages/alone/read.js": "readFileSync('generated/api.txt');\n",
};

const temp = await suiteDir(afterAll, "skein-fingerprint-");
let repo: string;
let before: ReadonlyMap<string, string>;

beforeAll(async () => {
  repo = join(temp, "repo");
  writeFileSync(join(temp, "outside.txt"), "1\n");
  mkdirSync(repo);
  buildHistory(repo, [{ files: FILES }]);
  gitIn(repo, "reset", "--hard", "--quiet");
  before = await ask({});
});

interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly node?: Partial<AffectedWorld["node"]>;
  readonly now?: number;
}

function worldOf(
  { env, node, now = 0 }: Around,
  argv: readonly string[],
  out = "",
) {
  const written = { text: out };
  const { execPath, version, platform, arch } = process;
  const world: AffectedWorld = {
    argv,
    cwd: repo,
    env: { ...gitTestEnv, ...env },
    stdin: Readable.from([]),
    stdout: { write: (text: string) => (written.text += text) },
    stderr: { write: (text: string) => (written.text += text) },
    now: () => now,
    signal: new AbortController().signal,
    node: {
      ...{ execPath, version, platform, arch, ...node },
      kill: () => undefined,
    },
    token: () => "token",
  };
  return { world, written };
}

/** Returns the lines of `affected fingerprint`, by unit. */
async function ask(around: Around): Promise<ReadonlyMap<string, string>> {
  const { world, written } = worldOf(around, ["fingerprint"]);
  expect(await runCli("affected", world, affected)).toBe(0);
  return new Map(
    written.text
      .trim()
      .split("\n")
      .map((line) => line.split(" ") as [string, string]),
  );
}

const at = (path: string) => join(repo, path);
const write = (path: string, text: string) => () => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
};
const PACKAGES = ["app", "ui", "core", "alone"];
const everything = PACKAGES.join(" ");

describe("a fingerprint differs if the result may", () => {
  test.each<[title: string, change: (() => void) | Around, differing: string]>([
    ["nothing changed", () => undefined, "nothing"],
    ["a file of the package", write("packages/app/a.txt", "c\n"), "app"],
    [
      "swapped contents of two files of the package",
      () => {
        renameSync(at("packages/app/a.txt"), at("packages/app/c"));
        renameSync(at("packages/app/b.txt"), at("packages/app/a.txt"));
        renameSync(at("packages/app/c"), at("packages/app/b.txt"));
      },
      "app",
    ],
    ["a new file", write("packages/ui/new.txt", ""), "app ui"],
    ["a deleted file", () => rmSync(at("packages/app/b.txt")), "app"],
    [
      "an executable bit",
      () => chmodSync(at("packages/core/inner.js"), 0o755),
      "app core",
    ],
    ["a file of the root", write("shared/x.js", "//\n"), "app"],
    [
      "a file of another package",
      write("packages/core/inner.js", "\n"),
      "app core",
    ],
    ["a file of a dependency", write("packages/ui/index.js", "\n"), "app ui"],
    ["a test of a dependency", write("packages/ui/index.test.js", "\n"), "ui"],
    [
      "a file that a tool loads by name",
      write("packages/ui/.env.local", "A=1"),
      "app ui",
    ],
    [
      "such a file of the whole project",
      write(".env.local", "A=1"),
      everything,
    ],
    [
      "a generated file that git ignores and a source names",
      write("packages/alone/generated/api.txt", "1"),
      "alone",
    ],
    [
      "an ignored file that nothing names",
      write("packages/ui/generated/api.txt", "1"),
      "nothing",
    ],
    [
      "settings that git ignores and a program looks up",
      () => {
        write("packages/ui/.gitignore", ".babelrc\n")();
        gitIn(repo, "add", "--all");
        write("packages/ui/.babelrc", "{}")();
      },
      "app ui",
    ],
    [
      "empty folders",
      () => mkdirSync(at("packages/ui/empty/inner"), { recursive: true }),
      "app ui",
    ],
    [
      "an empty folder that git ignores",
      () => mkdirSync(at("packages/ui/generated")),
      "nothing",
    ],
    [
      "a file outside that a link leads to",
      () => writeFileSync(join(temp, "outside.txt"), "2\n"),
      "app",
    ],
    [
      "a link with another target",
      () => {
        rmSync(at("packages/app/link"));
        symlinkSync("a.txt", at("packages/app/link"));
      },
      "app",
    ],
    // The others run an unknown program, which may start Jest.
    ["a setup file of Jest", write("jest.setup.js", "\n"), everything],
    [
      "a script's text",
      write("packages/alone/package.json", manifest("alone", "node other.js")),
      "alone",
    ],
    [
      "a script of the root that is called",
      () =>
        writeFileSync(
          at("package.json"),
          readFileSync(at("package.json"), "utf8").replace("-e 0", "-e 1"),
        ),
      "app",
    ],
    ["the pipeline", write("skein.json", json({ pipeline: {} })), everything],
    ["a variable that a script names", { env: { SALUTE: "hi" } }, "app"],
    ["a variable that a source names", { env: { THEME: "dark" } }, "app ui"],
    [
      "a variable that a source destructures",
      { env: { LEVEL: "" } },
      "app core",
    ],
    ["NODE_OPTIONS", { env: { NODE_OPTIONS: "--no-warnings" } }, everything],
    [
      "a variable that a source names and skein.json excludes",
      { env: { GITHUB_RUN_ID: "1" } },
      "nothing",
    ],
    ["a variable that nothing names", { env: { OTHER: "1" } }, "nothing"],
    ["Node's version", { node: { version: "v99.0.0" } }, everything],
    ["the platform", { node: { platform: "plan9" } }, everything],
    ["the architecture", { node: { arch: "mips" } }, everything],
  ])("%s", async (_, change, differing) => {
    try {
      if (typeof change === "function") change();
      const now = await ask(typeof change === "function" ? {} : change);
      expect(
        [...now.keys()].filter((unit) => now.get(unit) !== before.get(unit)),
      ).toEqual(
        [...now.keys()].filter((unit) =>
          differing.split(" ").includes(unit.replace("#test", "")),
        ),
      );
    } finally {
      gitIn(repo, "reset", "--hard", "--quiet");
      gitIn(repo, "clean", "-xdfq");
      writeFileSync(join(temp, "outside.txt"), "1\n");
    }
    expect(await ask({})).toEqual(before);
  });
});

test("files that git doesn't compare (sparse checkout, core.fileMode, assume-unchanged) count", async () => {
  const file = "packages/core/inner.js";
  const differing = async () => {
    const now = await ask({});
    return [...now.keys()].filter((unit) => now.get(unit) !== before.get(unit));
  };
  const units = ["app#test", "core#test"];
  try {
    // A sparse checkout removes this file.
    gitIn(
      repo,
      "sparse-checkout",
      "set",
      "--no-cone",
      "/*",
      "!/packages/app/b.txt",
    );
    expect(await differing()).toEqual(["app#test"]);
    gitIn(repo, "sparse-checkout", "disable");
    gitIn(repo, "config", "core.fileMode", "false");
    chmodSync(at(file), 0o755);
    expect(await differing()).toEqual(units);
    chmodSync(at(file), 0o644);
    for (const flag of ["assume-unchanged", "skip-worktree"]) {
      gitIn(repo, "update-index", `--${flag}`, file);
      writeFileSync(at(file), "//\n");
      expect(await differing()).toEqual(units);
      gitIn(repo, "update-index", `--no-${flag}`, file);
      gitIn(repo, "checkout", "--quiet", file);
      expect(await differing()).toEqual([]);
    }
  } finally {
    gitIn(repo, "config", "core.fileMode", "true");
    gitIn(repo, "reset", "--hard", "--quiet");
  }
});

test("a mode that changes after git was asked isn't cached", async () => {
  const file = at("packages/core/inner.js");
  try {
    // Fingerprints with a link that leads out of the project aren't kept.
    rmSync(at("packages/app/link"));
    gitIn(repo, "config", "core.fileMode", "false");
    const first = await ask({});
    rmSync(at(".git/skein"), { recursive: true });
    mkdirSync(at(".git/skein"));
    const { world } = worldOf({}, []);
    const look = await lookAtTree(world, undefined);
    chmodSync(file, 0o755);
    await openFingerprints(world, look, { script: "test", args: [] });
    chmodSync(file, 0o644);
    expect(await ask({})).toEqual(first);
  } finally {
    gitIn(repo, "config", "core.fileMode", "true");
    gitIn(repo, "reset", "--hard", "--quiet");
  }
});

test("files outside of the project count if NODE_OPTIONS or a range names them", async () => {
  const ext = join(temp, "ext/index.js");
  const hook = join(temp, "hook.js");
  mkdirSync(dirname(ext));
  const env = { NODE_OPTIONS: `--require ${hook}` };
  const differing = async (change: () => void) => {
    const was = await ask({ env });
    change();
    const now = await ask({ env });
    return PACKAGES.filter(
      (name) => was.get(`${name}#test`) !== now.get(`${name}#test`),
    );
  };
  try {
    for (const range of ["portal:../../../ext", "link:../../../ext"]) {
      writeFileSync(ext, "1");
      const dependencies = { ext: range };
      write(
        "packages/ui/package.json",
        manifest("ui", "node test.js", { dependencies }),
      )();
      expect(await differing(() => writeFileSync(ext, "2"))).toEqual([
        "app",
        "ui",
      ]);
    }
    writeFileSync(hook, "1");
    expect(await differing(() => writeFileSync(hook, "2"))).toEqual(PACKAGES);
  } finally {
    gitIn(repo, "reset", "--hard", "--quiet");
  }
});

test("as long as no folder has changed, git isn't asked for ignored files", async () => {
  const log = join(temp, "git.log");
  // The folders are then older than any tick of a clock.
  const now = Date.now() + 60_000;
  try {
    // Fingerprints with a link that leads out of the project aren't kept.
    rmSync(at("packages/app/link"));
    const first = await ask({ now });
    const seen = async () => {
      writeFileSync(log, "");
      const found = await ask({ now, env: { GIT_TRACE2: log } });
      return {
        isListed: readFileSync(log, "utf8").includes(" ls-files "),
        differing: PACKAGES.filter(
          (name) => found.get(`${name}#test`) !== first.get(`${name}#test`),
        ),
      };
    };
    expect(await seen()).toEqual({ isListed: false, differing: [] });
    for (const [path, differing] of [
      ["packages/alone/generated/api.txt", ["alone"]],
      ["packages/ui/.env.local", ["app", "ui"]],
    ] as const) {
      write(path, "1")();
      expect(await seen()).toEqual({ isListed: true, differing });
      expect(await seen()).toEqual({ isListed: false, differing });
      // The content of a file that counts is read each time.
      appendFileSync(at(path), "2");
      expect(await seen()).toEqual({ isListed: true, differing });
      gitIn(repo, "clean", "-xdfq");
    }
    mkdirSync(at("packages/core/empty"));
    expect(await seen()).toEqual({
      isListed: true,
      differing: ["app", "core"],
    });
  } finally {
    gitIn(repo, "reset", "--hard", "--quiet");
    gitIn(repo, "clean", "-xdfq");
  }
});

test("fingerprints of a changed tree are cached, and every further change is noticed", async () => {
  const path = at("packages/app/a.txt");
  try {
    const seen: ReadonlyMap<string, string>[] = [];
    const see = async (change: () => void) => {
      change();
      const now = await ask({});
      // The second run reads them from the cache.
      expect(await ask({})).toEqual(now);
      seen.push(now);
    };
    await see(() => writeFileSync(path, "b\n"));
    await see(() => writeFileSync(path, "c\n"));
    await see(() => rmSync(path));
    await see(write("packages/app/.env.local", "A=1"));
    await see(() => writeFileSync(join(temp, "outside.txt"), "2\n"));
    const ofApp = seen.map((each) => each.get("app#test"));
    expect(new Set(ofApp).size).toBe(seen.length);
    rmSync(at("packages/app/.env.local"));
    writeFileSync(join(temp, "outside.txt"), "1\n");
    writeFileSync(path, "b\n");
    expect(await ask({})).toEqual(seen[0]);
  } finally {
    gitIn(repo, "reset", "--hard", "--quiet");
    gitIn(repo, "clean", "-xdfq");
    writeFileSync(join(temp, "outside.txt"), "1\n");
  }
});

test("arguments are part of the unit, and the runner uses the fingerprint that the command prints", async () => {
  const { world } = worldOf({}, []);
  const look = await lookAtTree(world, undefined);
  const hexes = await Promise.all(
    [[], ["-u"], ["-", "u"]].map(
      async (args) =>
        (await openFingerprints(world, look, { script: "test", args }))("app")
          ?.hex,
    ),
  );
  expect(hexes[0]).toBe(before.get("app#test"));
  expect(new Set(hexes).size).toBe(3);
});

test("--explain, --diff and --json print the inputs of a fingerprint", async () => {
  appendFileSync(at("packages/ui/index.js"), "//\n");
  try {
    const diff = await run({ cwd: repo }, "fingerprint", "--diff", "HEAD");
    expect(diff).toEqual({
      exitCode: 0,
      stdout: `app#test dependencies: ui: packages/ui/index.js changed
ui#test files: packages/ui/index.js changed
`,
      stderr: "",
    });
    const explained = await run(
      { cwd: repo, env: { THEME: "secret" } },
      ...["fingerprint", "test", "--explain", "ui"],
    );
    expect(explained.stdout).toContain("\n  $THEME set\n");
    expect(explained.stdout).not.toContain("secret");
    for (const args of [
      ["--json"],
      ["--json", "--head", "HEAD", "--explain", "app"],
      ["--json", "--diff", "HEAD", "--filter", "app"],
    ]) {
      const { exitCode, stdout } = await run(
        { cwd: repo },
        "fingerprint",
        ...args,
      );
      expect(exitCode).toBe(0);
      expect(misfits("fingerprint", JSON.parse(stdout))).toEqual([]);
    }
  } finally {
    gitIn(repo, "reset", "--hard", "--quiet");
  }
});

test.each([
  [
    ["fingerprint", "tset"],
    'affected: no package has a script called "tset"\n',
  ],
  [
    ["fingerprint", "--explain", "apps"],
    'affected: no package called apps has a script called "test"\nhint: did you mean app?\n',
  ],
  [
    ["fingerprint", "--filter", "affected()"],
    "affected: a fingerprint describes a single tree, so affected() cannot be used here\nhint: affected fingerprint --diff REV compares two\n",
  ],
])("%j is rejected", async (argv, stderr) => {
  expect(await run({ cwd: repo }, ...argv)).toEqual({
    exitCode: 2,
    stdout: "",
    stderr,
  });
});
