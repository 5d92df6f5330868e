// Runs lint and the tests at the same time: lint takes 15 seconds of one core, and needs nothing from the tests.
// usage: node scripts/test.mjs
import { spawn } from "node:child_process";

const lint = start(["lint"], ["ignore", "pipe", "pipe"]);
const said = [];
for (const stream of [lint.child.stdout, lint.child.stderr])
  stream.on("data", (chunk) => said.push(chunk));

const tests = await start(["test:jest"], "inherit").ended;
const linted = await lint.ended;
process.stdout.write(Buffer.concat(said));
process.exitCode = tests || linted;

/** Starts a script of the root. `ended` resolves with its exit code. */
function start(args, stdio) {
  const child = spawn("yarn", args, {
    stdio,
    // On Windows yarn is a .cmd file, which only a shell can start.
    shell: process.platform === "win32",
  });
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
  return { child, ended };
}
