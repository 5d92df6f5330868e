import { Readable } from "node:stream";
import {
  buildHistory,
  gitTestEnv,
  json,
  rootManifest,
  startedByYarn,
  tempDir,
} from "@skein/testing";
import type { CommitSpec, Files } from "@skein/testing";
import { affected } from "../run.js";
import { runCli } from "@skein/reporting";

/** The result of a run of the tool. */
export interface Ran {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunIn {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  readonly isTTY?: boolean;
  readonly signal?: AbortSignal;
}

/** Runs the tool as `main.ts` does under Yarn, in this process. */
export async function run(
  { cwd, env = {}, stdin = "", isTTY = false, signal }: RunIn,
  ...argv: string[]
): Promise<Ran> {
  const out = { stdout: "", stderr: "" };
  const exitCode = await runCli(
    "affected",
    {
      argv,
      cwd,
      env: { ...gitTestEnv, ...startedByYarn, ...env },
      stdin: Readable.from([Buffer.from(stdin)]),
      stdout: { isTTY, write: (text: string) => (out.stdout += text) },
      stderr: { isTTY, write: (text: string) => (out.stderr += text) },
      now: () => performance.now(),
      signal: signal ?? new AbortController().signal,
      node: process,
      token: () => "token",
    },
    affected,
  );
  return { exitCode, ...out };
}

/** Runs the tool as `run`. @returns its exit code and all that it printed: `2 stderr: affected: …` */
export async function shown(
  ...command: Parameters<typeof run>
): Promise<string> {
  const { exitCode, stdout, stderr } = await run(...command);
  return `${exitCode}${stdout && ` stdout: ${stdout}`}${stderr && ` stderr: ${stderr}`}`;
}

/**
 * Returns a small workspace: an app that depends on ui, ui that depends on core, and an unrelated package. Without a
 * lockfile, names decide.
 */
export function shop(): Files {
  const manifest = (name: string, dependencies: Record<string, string>) =>
    json({
      name,
      version: "1.0.0",
      scripts: { test: `node -e "console.log('${name} works')"` },
      dependencies,
    });
  return {
    "package.json": rootManifest("shop"),
    "packages/app/package.json": manifest("@shop/app", {
      "@shop/ui": "workspace:^",
    }),
    "packages/app/index.js": "import '@shop/ui';\n",
    "packages/ui/package.json": manifest("@shop/ui", {
      "@shop/core": "workspace:^",
    }),
    "packages/ui/index.js": "import '@shop/core';\n",
    "packages/core/package.json": manifest("@shop/core", {}),
    "packages/core/index.js": "export const price = 1;\n",
    "packages/alone/package.json": manifest("@shop/alone", {}),
    "packages/alone/index.js": "export {};\n",
    ".github/CODEOWNERS": "/packages/ui/ @shop/web\n",
  };
}

/** Returns the shop with a checked-out branch `change`, which changes core. */
export async function shopWithChange(...more: readonly CommitSpec[]) {
  const dir = await tempDir();
  buildHistory(dir.path, [
    { files: shop() },
    {
      branch: "change",
      from: "main",
      files: { "packages/core/index.js": "export const price = 2;\n" },
    },
    ...more,
  ]);
  return dir;
}
