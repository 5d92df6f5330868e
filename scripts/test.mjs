// Builds the checkout, and runs all tests. Lint runs at the same time, because it needs only the sources, and the compiler uses
// one core. So does the installation of programs that tests need (SKEIN_INSTALL_TOOLS), because it mostly waits for the network.
// If all tests are required (SKEIN_ALL_TESTS), the end-to-end tests run beside the others: act waits more than it works.
// usage: node scripts/test.mjs
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildFlags } from "./build-flags.mjs";

const all = Boolean(process.env.SKEIN_ALL_TESTS);
const tarballs = process.env.SKEIN_TARBALLS;

/** Programs that use no network start in half the time without this variable (jest.config.js). */
const { NODE_EXTRA_CA_CERTS: _certificates, ...offline } = process.env;

const tools = process.env.SKEIN_INSTALL_TOOLS
  ? start("node", ["scripts/ensure-tools.mjs"], "pipe")
  : undefined;
const lint = start("yarn", ["lint"], "pipe", offline);
const built = await start("yarn", ["build", ...buildFlags], "inherit", offline)
  .ended;
const ends = [...(built === 0 ? await test() : [built]), await printed(lint)];
process.exitCode = ends.find((code) => code !== 0) ?? 0;

/** Runs the tests, and returns the exit codes. */
async function test() {
  await start("node", ["scripts/clean.mjs"], "inherit", offline).ended;
  // Two suites install the tarballs, so neither of them packs.
  if (tarballs !== undefined) await pack(tarballs);
  await printed(tools);
  const e2e = all ? start("yarn", ["test:e2e"], "pipe") : undefined;
  return [
    await start("yarn", ["test:compiled"], "inherit").ended,
    await printed(e2e),
  ];
}

/** Packs the public packages. If that fails, the suites pack themselves, and report the failure. */
async function pack(folder) {
  const each = ["workspaces", "foreach", "--all", "--no-private", "-p"];
  const out = ["pack", "--out", join(folder, "%s.tgz")];
  const packing = start("yarn", [...each, ...out], "pipe", offline);
  if ((await packing.ended) !== 0)
    rmSync(folder, { recursive: true, force: true });
}

/** Waits for the end of a program, prints its output, and returns its exit code. */
async function printed(program) {
  if (program === undefined) return 0;
  const code = await program.ended;
  process.stdout.write(Buffer.concat(program.output));
  return code;
}

/** Starts a program. `ended` resolves with its exit code. */
function start(program, args, stdio, env = process.env) {
  const child = spawn(program, args, {
    env,
    stdio: ["ignore", stdio, stdio],
    // On Windows yarn is a .cmd file, which only a shell can start.
    shell: process.platform === "win32",
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => output.push(chunk));
  const ended = new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
  return { output, ended };
}
