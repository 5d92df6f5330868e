import { findYarn, keepCompiledOption, type YarnCommand } from "@skein/runner";

/** The result of a Yarn command. */
export interface YarnRun {
  readonly ok: boolean;
  /** stdout and stderr, in the order of arrival. */
  readonly output: string;
}

/** Runs Yarn in a temporary checkout of the project. */
export type RunYarn = (args: readonly string[]) => Promise<YarnRun>;

/** Variables of an outer Yarn or npm that refer to another project. */
const OUTER =
  /^(?:npm_.*|BERRY_BIN_FOLDER|INIT_CWD|PROJECT_CWD|NODE_OPTIONS|CI)$/;

/**
 * Finds the project's Yarn and prepares to run it in a folder.
 * @param scripts whether lifecycle scripts of packages may run
 * @returns undefined if the machine has no Yarn of version 2 or newer
 */
export async function openYarn(
  dir: string,
  env: Readonly<Record<string, string | undefined>>,
  project: { readonly rc: string; readonly packageManager: string | undefined },
  scripts: "no-scripts" | "scripts" = "no-scripts",
): Promise<RunYarn | undefined> {
  const yarn = await findYarn({ root: dir, env, execPath: "node", ...project });
  // No package's script runs, whatever else is configured, unless the caller asked for scripts.
  const own =
    scripts === "scripts"
      ? {}
      : { YARN_ENABLE_SCRIPTS: "0", NODE_OPTIONS: keepCompiledOption() };
  return yarn && ((args) => run(yarn, args, dir, { ...without(env), ...own }));
}

async function run(
  yarn: YarnCommand,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<YarnRun> {
  const { execa } = await import("execa");
  const { failed, all } = await execa(yarn.file, [...yarn.args, ...args], {
    cwd,
    env: {
      ...env,
      YARN_ENABLE_TELEMETRY: "0",
      YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
      YARN_ENABLE_PROGRESS_BARS: "0",
      YARN_ENABLE_COLORS: "0",
    },
    extendEnv: false,
    stdin: "ignore",
    all: true,
    reject: false,
  });
  return { ok: !failed, output: all };
}

function without(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !OUTER.test(name)),
  );
}
