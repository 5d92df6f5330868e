// Builds a checkout on a bare machine (Node, npm, git), then runs one Yarn command in it.
// usage: node scripts/bootstrap.mjs <yarn arguments…>
// Yarn comes from the npm registry, so neither Yarn nor Corepack has to be installed before.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

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
  // Four checkers per project, the default, repeat a fifth of the work. That only pays on more than two cores.
  const checkers = availableParallelism() > 2 ? [] : ["--checkers", "1"];
  run("yarn", ["build", ...checkers], env);
  run("yarn", process.argv.slice(2), env);
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
