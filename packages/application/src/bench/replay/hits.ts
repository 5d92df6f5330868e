import { existsSync, readFileSync } from "node:fs";
import {
  appendFile,
  mkdir,
  readFile,
  rename,
  rm,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { json, type Files } from "@skein/testing";
import { measure } from "../measure/measure.js";
import { commandOf, forget } from "./measure-site.js";
import type { Runner } from "./runners.js";
import { writeSite, yarnBin, type Contestant } from "./site.js";

/** One kind of input, and a package whose script reads it. */
interface Kind {
  readonly words: string;
  /** JavaScript that returns what the script sees; `read` reads a file, `__dirname` is the package's folder. */
  readonly sees: string;
  readonly files?: Files;
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly script?: string;
  /** Changes the input. */
  readonly change?: (root: string, dir: string) => Promise<void>;
  /** Sets other variables instead. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The behaviour of each tool after a change of one input. */
export interface HitResult {
  readonly words: string;
  /** The answers by the runner's label. */
  readonly by: ReadonlyMap<string, Answer>;
}

/**
 * `ran`: the script ran. `same`: it was replayed, and a forced run sees what the first one saw, because the tool hid the
 * change from the script or undid it. `false hit`: it was replayed, and a forced run sees something else. `failed`: it never ran.
 */
export type Answer = "ran" | "same" | "false hit" | "failed";

const append = (path: string) => (root: string) =>
  appendFile(join(root, path), "// changed\n");

const KINDS: readonly Kind[] = [
  {
    words: "a source of its own",
    sees: 'read("own.txt")',
    files: { "own.txt": "1\n" },
    change: (_, dir) => writeFile(join(dir, "own.txt"), "2\n"),
  },
  {
    words: "the contents of two own files, exchanged",
    sees: 'read("one.txt") + read("two.txt")',
    files: { "one.txt": "1\n", "two.txt": "2\n" },
    async change(_, dir) {
      await writeFile(join(dir, "one.txt"), "2\n");
      await writeFile(join(dir, "two.txt"), "1\n");
    },
  },
  {
    words: "the name of an own file",
    sees: 'require("fs").readdirSync(__dirname + "/list").join()',
    files: { "list/a.txt": "a\n" },
    change: (_, dir) =>
      rename(join(dir, "list/a.txt"), join(dir, "list/b.txt")),
  },
  {
    words: "a new file that git doesn't know yet",
    sees: 'require("fs").readdirSync(__dirname + "/list").join()',
    files: { "list/a.txt": "a\n" },
    change: (_, dir) => writeFile(join(dir, "list/new.txt"), "new\n"),
  },
  {
    words: "an environment variable that a source names",
    sees: "process.env.BENCH_FLAVOUR",
    env: { BENCH_FLAVOUR: "sweet" },
  },
  {
    words: "an environment variable that the script names",
    sees: "process.argv[2]",
    script: 'node test.js "${BENCH_MOOD:-}"',
    env: { BENCH_MOOD: "merry" },
  },
  {
    words: "`NODE_OPTIONS`",
    sees: "process.execArgv.join() + process.env.NODE_OPTIONS",
    env: { NODE_OPTIONS: "--no-deprecation" },
  },
  {
    words: "a file of the root, read by a relative path",
    sees: 'read("../../shared/rates.txt")',
    change: (root) => append("shared/rates.txt")(root),
  },
  {
    words: "a file of another package, undeclared",
    sees: 'read("../other/data.txt")',
    change: (root) => append("packages/other/data.txt")(root),
  },
  {
    words: "a source of a declared dependency in the workspace",
    sees: 'require("@hits/library")',
    manifest: { dependencies: { "@hits/library": "workspace:^" } },
    change: (root) =>
      writeFile(
        join(root, "packages/library/index.js"),
        'module.exports = "new";\n',
      ),
  },
  {
    words: "`.env.local`, which git ignores",
    sees: 'read(".env.local")',
    change: (_, dir) => writeFile(join(dir, ".env.local"), "A=1\n"),
  },
  {
    words: "a generated file that git ignores and the script reads",
    sees: 'read("generated/api.txt")',
    change: (_, dir) => writeFile(join(dir, "generated/api.txt"), "2\n"),
  },
  {
    words: "the file behind a link that leaves the package",
    sees: 'read("link.txt")',
    files: { "link.txt": { symlink: "../../shared/target.txt" } },
    change: (root) => append("shared/target.txt")(root),
  },
  {
    words: "the version of an external package in yarn.lock",
    sees: 'require("ms/package.json").version',
    manifest: { dependencies: { ms: "2.1.3" } },
    // The result of an install.
    async change(root) {
      for (const [path, from] of [
        ["yarn.lock", /(version: )2\.1\.3/],
        ["yarn.lock", /(resolution: "ms@npm:)2\.1\.3/],
        ["node_modules/.yarn-state.yml", /(ms@npm:)2\.1\.3/],
        ["node_modules/ms/package.json", /("version": ")2\.1\.3/],
      ] as const) {
        const file = join(root, path);
        const text = await readFile(file, "utf8");
        await writeFile(file, text.replace(from, "$12.1.4"));
      }
    },
  },
  {
    words: "a script of the root that the script calls",
    sees: "process.argv[2]",
    script: 'node test.js "$(yarn run --top-level greet)"',
    async change(root) {
      const file = join(root, "package.json");
      const text = await readFile(file, "utf8");
      await writeFile(file, text.replace("echo hello", "echo goodbye"));
    },
  },
];

/**
 * Runs all scripts successfully, then changes one input after another and runs each tool again.
 * @returns a row for each kind of input
 */
export async function measureHits(
  folder: string,
  contestants: readonly Contestant[],
  log: (line: string) => void,
): Promise<readonly HitResult[]> {
  const answers = KINDS.map(({ words }) => ({
    words,
    by: new Map<string, Answer>(),
  }));
  const bins = [await yarnBin(folder)];
  for (const contestant of contestants) {
    const { runner } = contestant;
    const dir = join(folder, `hits-${runner.name}`);
    const sink = join(folder, `hits-${runner.name}.log`);
    await rm(sink, { force: true });
    await writeSite(dir, hitFiles(sink), [contestant]);
    const ignored = join(dir, `${folderOf("generated")}/generated`);
    await writeIgnored(ignored);
    await forget(dir, runner);
    const run = (
      env: Readonly<Record<string, string>>,
      more: readonly string[],
    ) => {
      const command = commandOf(runner, { dir, bins }, env);
      return measure(
        { ...command, argv: [...command.argv, ...more] },
        5 * 60_000,
      );
    };
    const first = await run({}, []);
    log(`${runner.label}: all green, exit code ${first.exitCode}`);
    for (const [index, kind] of KINDS.entries()) {
      await run({}, []);
      const before = seenBy(sink, index);
      await kind.change?.(dir, join(dir, packageOf(index)));
      await run(kind.env ?? {}, []);
      const after = seenBy(sink, index);
      let answer: Answer = "ran";
      if (before.length === 0) answer = "failed";
      else if (after.length === before.length) {
        await run(kind.env ?? {}, runner.force);
        answer =
          seenBy(sink, index).at(-1) === before.at(-1) ? "same" : "false hit";
      }
      answers[index]?.by.set(runner.label, answer);
      log(`${runner.label}: ${kind.words}: ${answer}`);
    }
    await stop(dir, runner);
  }
  return answers;
}

async function stop(dir: string, { tool }: Runner): Promise<void> {
  for (const argv of tool.stop ?? []) await measure({ cwd: dir, argv }, 20_000);
}

async function writeIgnored(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, "api.txt"), "1\n");
}

function folderOf(word: string): string {
  return packageOf(KINDS.findIndex(({ words }) => words.includes(word)));
}

function packageOf(index: number): string {
  return `packages/k${index + 1}`;
}

/** Returns the records that one package's script writes, one for each run. */
function seenBy(sink: string, index: number): readonly string[] {
  if (!existsSync(sink)) return [];
  const start = `k${index + 1} `;
  return readFileSync(sink, "utf8")
    .split("\n")
    .filter((line) => line.startsWith(start));
}

function hitFiles(sink: string): Files {
  const files: Record<string, Files[string]> = {
    "package.json": json({
      name: "hits",
      private: true,
      packageManager: "yarn@4.18.1",
      workspaces: ["packages/*"],
      scripts: { greet: "echo hello" },
    }),
    ".yarnrc.yml": "nodeLinker: node-modules\n\nenableTelemetry: false\n",
    "shared/rates.txt": "1\n",
    "shared/target.txt": "1\n",
    "packages/library/package.json": json({
      name: "@hits/library",
      version: "1.0.0",
    }),
    "packages/library/index.js": 'module.exports = "old";\n',
    "packages/other/package.json": json({
      name: "@hits/other",
      version: "1.0.0",
    }),
    "packages/other/data.txt": "1\n",
  };
  for (const [index, kind] of KINDS.entries()) {
    const dir = packageOf(index);
    files[`${dir}/package.json`] = json({
      name: `@hits/k${index + 1}`,
      version: "1.0.0",
      private: true,
      scripts: { test: kind.script ?? "node test.js" },
      ...kind.manifest,
    });
    files[`${dir}/test.js`] =
      `const fs = require("fs");\nconst read = (path) => {\n  try {\n    return fs.readFileSync(require("path").join(__dirname, path), "utf8");\n  } catch {\n    return "none";\n  }\n};\nconst seen = ${kind.sees};\nfs.appendFileSync(${JSON.stringify(sink)}, "k${index + 1} " + JSON.stringify(String(seen)) + "\\n");\n`;
    for (const [path, content] of Object.entries(kind.files ?? {}))
      files[`${dir}/${path}`] = content;
  }
  return files;
}
