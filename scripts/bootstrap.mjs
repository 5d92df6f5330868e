// Installs and builds a checkout on a bare machine (Node, npm, git), then runs one Yarn command in it.
// usage: node scripts/bootstrap.mjs [--no-build] <yarn arguments…>
//   --no-build   the command builds the checkout itself
// Yarn comes from the npm registry, so neither Yarn nor Corepack has to be installed before.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildFlags } from "./build-flags.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { packageManager } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
);
const version = packageManager.replace("yarn@", "");

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} is too old: Skein needs Node 20.19 or newer.`,
  );
  process.exit(2);
}

// If a Yarn of this version already runs this script (`yarn test`), use it; npx would only start another one.
const inYarn = (process.env.npm_config_user_agent ?? "").startsWith(
  `yarn/${version}`,
);
// One npx runs all steps: in its own process, this script starts a second time, with `yarn` on the PATH.
const inNpx = process.env.SKEIN_BOOTSTRAP === version;

if (inYarn || inNpx) {
  const env = { ...process.env };
  delete env.SKEIN_BOOTSTRAP;
  run("yarn", ["install"], env);
  const [first, ...rest] = process.argv.slice(2);
  const builds = first !== "--no-build";
  if (builds) run("yarn", ["build", ...buildFlags], env);
  run("yarn", builds ? process.argv.slice(2) : rest, env);
} else {
  run(
    "npx",
    [
      "--yes",
      "--package",
      `@yarnpkg/cli-dist@${version}`,
      "--",
      "node",
      "scripts/bootstrap.mjs",
      ...process.argv.slice(2),
    ],
    { ...process.env, SKEIN_BOOTSTRAP: version },
  );
}

/** Runs one step. If it fails, the script ends with its exit code. */
function run(command, args, env) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    // On Windows npx and yarn are .cmd files, which only a shell can start.
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
