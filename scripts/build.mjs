// Builds the checkout: tsc makes the modules, and each tool becomes one bundle, which starts in half the time.
// usage: yarn build [flags of tsc -b…]
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const top = fileURLToPath(new URL("..", import.meta.url));
const tools = ["tools/affected", "tools/ci-dispatch", "tools/migrate-repo"];

const compiled = await run(
  ["tsc", "-b", ...process.argv.slice(2)].join(" "),
  "",
);
const codes =
  compiled === 0
    ? await Promise.all(tools.map((tool) => run(bundleCommand(tool), tool)))
    : [compiled];
process.exitCode = codes.find((code) => code !== 0) ?? 0;

/** Returns the command that makes the bundle of a tool if it isn't current. */
function bundleCommand(tool) {
  const manifest = readFileSync(`${top}${tool}/package.json`, "utf8");
  return JSON.parse(manifest).scripts.prepack;
}

/** Runs a command in a folder of the checkout, and returns its exit code. */
function run(command, folder) {
  const child = spawn(command, {
    cwd: `${top}${folder}`,
    stdio: "inherit",
    shell: true,
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
