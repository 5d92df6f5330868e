import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

/** Yarn's release file, to be run with Node. This package pins it, so that no test depends on the machine's Yarn. */
export const yarnRelease = createRequire(import.meta.url).resolve(
  "@yarnpkg/cli-dist/bin/yarn.js",
);

/** The same Yarn, in a form that starts in half the CPU time. Run it with Node. */
export const yarnPath = fileURLToPath(new URL("../yarn.cjs", import.meta.url));

/** A module whose function runs another release of Yarn in this form: `require(it)(release, file for its compiled code)`. */
export const yarnRunner = fileURLToPath(
  new URL("../run-release.cjs", import.meta.url),
);

const { version } = createRequire(import.meta.url)(
  "@yarnpkg/cli-dist/package.json",
) as { readonly version: string };

/**
 * The variables with which Yarn identifies itself to the programs that it starts. With them, a tool doesn't start the machine's Yarn
 * to learn its version, which takes longer than many tests.
 */
export const startedByYarn: Readonly<Record<string, string>> = {
  npm_execpath: yarnPath,
  npm_config_user_agent: `yarn/${version} npm/? node/${process.version} ${process.platform} ${process.arch}`,
};

/** A folder in this checkout, so that users of the same machine don't share it. */
const globalFolder = fileURLToPath(
  new URL("../../../node_modules/.cache/skein-test-yarn", import.meta.url),
);

/**
 * Returns the environment of Yarn in tests: the machine's, without variables that an outer Yarn or Jest has set. All
 * tests share one global folder, so that a package is fetched once.
 */
export function yarnTestEnv(): Record<string, string> {
  const outer =
    /^(npm_|BERRY_BIN_FOLDER|INIT_CWD|PROJECT_CWD|NODE_OPTIONS|JEST_|COREPACK_ROOT|CI$|GITHUB_)/;
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env))
    if (value !== undefined && !outer.test(name)) env[name] = value;
  const outerBins = process.env["BERRY_BIN_FOLDER"];
  return {
    ...env,
    PATH: (env["PATH"] ?? "")
      .split(delimiter)
      .filter((dir) => dir !== outerBins)
      .join(delimiter),
    // Prevents a test from replaying results of other tests.
    SKEIN_CACHE_SIZE: "0",
    YARN_ENABLE_TELEMETRY: "0",
    YARN_GLOBAL_FOLDER: globalFolder,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "0",
    YARN_ENABLE_SCRIPTS: "0",
  };
}

/**
 * Runs Yarn in a folder and waits for its end.
 * @returns its stdout
 * @throws with both outputs if it fails
 */
export async function yarnIn(dir: string, ...args: string[]): Promise<string> {
  await mkdir(globalFolder, { recursive: true });
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [yarnPath, ...args],
      { cwd: dir, env: yarnTestEnv(), maxBuffer: 2 ** 30 },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else
          reject(
            new Error(
              `yarn ${args.join(" ")}: ${error.message}\n${stdout}${stderr}`,
            ),
          );
      },
    ).stdin?.end();
  });
}
