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

for (const step of [["install"], ["clean"], ["build"], process.argv.slice(2)]) {
  // A Yarn that already runs us (`yarn test`) is used as it is; npx would only start another one.
  const inYarn = (process.env.npm_config_user_agent ?? "").startsWith(
    `yarn/${version}`,
  );
  const [command, ...args] = inYarn
    ? ["yarn", ...step]
    : [
        "npx",
        "--yes",
        "--package",
        `@yarnpkg/cli-dist@${version}`,
        "yarn",
        ...step,
      ];
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
