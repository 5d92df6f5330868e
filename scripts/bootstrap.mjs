// From a bare machine (Node, npm, git) to a built checkout, then one Yarn command in it.
// usage: node scripts/bootstrap.mjs <yarn arguments…>
// Yarn comes from the npm registry, so neither Yarn nor Corepack has to be there before.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
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

// A Yarn that already runs us (`yarn test`) is used as it is; npx would only start another one.
const inYarn = (process.env.npm_config_user_agent ?? "").startsWith(
  `yarn/${version}`,
);
// One npx for all steps: the second time round we stand inside it, and `yarn` is on the PATH.
const inNpx = process.env.SKEIN_BOOTSTRAP === version;

if (inYarn || inNpx) {
  const env = { ...process.env };
  delete env.SKEIN_BOOTSTRAP;
  run("yarn", ["install"], env);
  run("yarn", ["build"], env);
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

/** Runs one step, and ends with it where it fails. */
function run(command, args, env) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env,
    stdio: "inherit",
    // On Windows npx and yarn are .cmd files, which only a shell starts.
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
