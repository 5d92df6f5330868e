import { createHash } from "node:crypto";
import {
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import {
  buildHistory,
  gitTestEnv,
  json,
  rootManifest,
  tempDir,
  type CommitSpec,
} from "@skein/testing";
import { runCli } from "@skein/reporting";
import { parseCli } from "./cli.js";
import { silent } from "./words/progress.js";
import { run } from "./run.js";
import { steps } from "./steps/index.js";
import { explainFailure } from "./words/world-failure.js";

/** The output of a command, and its exit code. */
export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The outcome of a command that did everything. */
export const FINE = { code: 0, stderr: "" };

/**
 * Runs the tool in a folder, in this process, with a constant clock.
 * @param argv a text is split at spaces
 */
export async function migrate(
  cwd: string,
  argv: string | readonly string[],
  options: {
    readonly env?: Readonly<Record<string, string>>;
    readonly checkpoint?: (step: string) => void;
  } = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCli(
    "migrate-repo",
    {
      argv: typeof argv === "string" ? argv.split(" ") : argv,
      env: { ...gitTestEnv, ...options.env },
      cwd,
      stdin: Readable.from([]),
      stdout: { write: (text) => out.push(text) },
      stderr: { write: (text) => err.push(text) },
      now: () => 1_767_225_600_000,
      signal: new AbortController().signal,
    },
    async (world) => {
      const command = parseCli(world);
      if (typeof command === "number") return command;
      return run(
        {
          ...world,
          pid: 1,
          isAlive: () => false,
          node: process,
          progress: silent,
          checkpoint: options.checkpoint ?? (() => undefined),
        },
        command,
      ).catch(async (error: unknown) => {
        throw await explainFailure(error, world.signal.aborted);
      });
    },
  );
  return { code, stdout: out.join(""), stderr: err.join("") };
}

/** Runs the tool as `migrate`. @returns its exit code and all that it printed: `3 stderr: migrate-repo: …` */
export async function shown(
  ...command: Parameters<typeof migrate>
): Promise<string> {
  const { code, stdout, stderr } = await migrate(...command);
  return `${code}${stdout && ` stdout: ${stdout}`}${stderr && ` stderr: ${stderr}`}`;
}

/** Options to migrate only the history. The steps have their own tests. */
export const historyOnly: readonly string[] = [
  "--no-register",
  ...(steps.length === 0 ? [] : ["--skip", ...steps.map(({ id }) => id)]),
];

/** A source, a target workspace, and the folder that holds both. */
export interface Pair extends AsyncDisposable {
  readonly dir: string;
  readonly source: string;
  readonly target: string;
}

/**
 * Returns a hash of every file below a folder, including git's own, by path and content; a symlink counts by its
 * target.
 */
export async function fingerprint(dir: string): Promise<string> {
  const hash = createHash("sha256");
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const path of paths) {
    const stats = await lstat(path);
    hash.update(`${path}\0`);
    hash.update(
      stats.isSymbolicLink() ? await readlink(path) : await readFile(path),
    );
  }
  return hash.digest("hex");
}

/** The usual workspace: a root and one package. */
export const workspaceFiles = {
  "package.json": rootManifest("monorepo"),
  ".gitignore": "node_modules\n",
  "packages/app/package.json": json({ name: "@acme/app", version: "1.0.0" }),
};

/** Builds both repositories, with deterministic ids. */
export async function buildPair(
  source: readonly CommitSpec[],
  target: readonly CommitSpec[] = [{ files: workspaceFiles }],
): Promise<Pair> {
  const dir = await tempDir("migrate-");
  const pair = {
    dir: dir.path,
    source: join(dir.path, "lib"),
    target: join(dir.path, "target"),
  };
  await mkdir(pair.source);
  await mkdir(pair.target);
  buildHistory(pair.source, source);
  buildHistory(pair.target, target);
  return { ...pair, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

/** The first commit of most sources. */
export const libFiles = {
  "package.json": json({ name: "@acme/lib", version: "1.4.0" }),
  "index.js": "module.exports = 1;\n",
};

/** Writes a manifest next to a pair. Its repositories migrate only their history. @returns its path */
export async function writeManifest(
  { dir }: Pair,
  repositories: readonly Readonly<Record<string, unknown>>[],
): Promise<string> {
  const file = join(dir, "migrations.json");
  await writeFile(
    file,
    json({
      version: 1,
      defaults: { register: false, skip: steps.map(({ id }) => id) },
      repositories,
    }),
  );
  return file;
}
