import { randomUUID } from "node:crypto";
import { mkdirSync } from "node:fs";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { runCli } from "@skein/reporting";
import { buildHistory, gitIn, gitTestEnv, json } from "@skein/testing";
import { dispatch } from "./run.js";
import type { DispatchWorld } from "./world.js";

/** The result of a command. */
export interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The shipped program, for tests that need a process: signals, and what a kill leaves behind. */
export const program = fileURLToPath(
  new URL("../bin/ci-dispatch.js", import.meta.url),
);

/**
 * Runs a command line in a folder, as the program does, but in this process, because starting a process and loading the
 * modules takes longer than most commands. `main.test.ts` checks that the program does the same.
 * @param argv a text is split at spaces
 * @param world the differences from a current process without any input
 * @param body what the program does
 */
export async function dispatchIn(
  cwd: string,
  argv: string | readonly string[],
  env: Readonly<Record<string, string>> = {},
  world: Partial<DispatchWorld> = {},
  body: (world: DispatchWorld) => Promise<number> = dispatch,
): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  const exitCode = await runCli<DispatchWorld>(
    "ci-dispatch",
    {
      argv: typeof argv === "string" ? argv.split(" ") : argv,
      env: { ...gitTestEnv, ...env },
      cwd,
      stdin: Readable.from([]),
      stdout: { write: (text) => (printed.stdout += text) },
      stderr: { write: (text) => (printed.stderr += text) },
      now: Date.now,
      signal: new AbortController().signal,
      node: process,
      pid: process.pid,
      random: Math.random,
      unguessable: randomUUID,
      collectEarly: () => undefined,
      ...world,
    },
    body,
  );
  return { exitCode, ...printed };
}

/** For the root manifest of a workspace whose scripts run. Without it, Yarn is started to determine its version. */
export const knownYarn = { packageManager: "yarn@4.18.1" };

export interface PackageSpec {
  readonly version?: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Creates a workspace with two commits: all packages on the branch `main`, and a change of some on `change`, which is
 * checked out.
 */
export function buildWorkspace(
  dir: string,
  packages: Readonly<Record<string, PackageSpec>>,
  {
    changed = Object.keys(packages),
    files = {},
    settings = {},
    root = {},
  }: {
    readonly changed?: readonly string[];
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: unknown;
    readonly root?: Readonly<Record<string, unknown>>;
  } = {},
): void {
  const names = Object.keys(packages).sort();
  const lock = ["root", ...names].map((name) => {
    const at = name === "root" ? "." : `packages/${name}`;
    const asked = Object.entries(packages[name]?.dependencies ?? {});
    const dependencies = asked.map(([to, range]) => `    ${to}: "${range}"\n`);
    const descriptors = [
      `${name}@workspace:${at}`,
      ...(name === "root" ? [] : [`${name}@workspace:*`]),
    ].join(", ");
    return `"${descriptors}":\n  version: 0.0.0-use.local\n  resolution: "${name}@workspace:${at}"\n${asked.length > 0 ? `  dependencies:\n${dependencies.join("")}` : ""}  languageName: unknown\n  linkType: soft\n`;
  });
  mkdirSync(dir, { recursive: true });
  buildHistory(dir, [
    {
      files: {
        "package.json": json({
          name: "root",
          private: true,
          workspaces: ["packages/*"],
          ...root,
        }),
        ".gitignore": "node_modules\n",
        "yarn.lock": `__metadata:\n  version: 8\n\n${lock.join("\n")}`,
        "skein.json": json(settings),
        ...Object.fromEntries(
          names.flatMap((name) => [
            [
              `packages/${name}/package.json`,
              json({ name, ...packages[name] }),
            ],
            [`packages/${name}/index.js`, "1\n"],
          ]),
        ),
        ...files,
      },
    },
    {
      branch: "change",
      from: "main",
      files: Object.fromEntries(
        changed.map((name) => [`packages/${name}/index.js`, "2\n"]),
      ),
    },
  ]);
  gitIn(dir, "checkout", "--quiet", "change");
}
