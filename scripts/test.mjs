// Runs lint and the tests at the same time: lint takes 15 seconds of one core, and needs nothing from the tests. If all tests
// are required (SKEIN_ALL_TESTS), the end-to-end tests run at the same time, too: act waits more than it works.
// usage: node scripts/test.mjs
import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const all = Boolean(process.env.SKEIN_ALL_TESTS);
const tarballs = process.env.SKEIN_TARBALLS;
/** While this file exists, the tools' bins start the bundles. Compiled modules take twice the CPU time to start. */
const MARK = "reports/bundles-are-current";

process.once("exit", () => rmSync(MARK, { force: true }));
for (const signal of ["SIGINT", "SIGTERM"])
  process.once(signal, () => process.exit(1));
await start("node", ["scripts/clean.mjs"], "inherit").ended;
const lint = start("yarn", ["lint"], "pipe");
// Two suites install the tarballs, so neither of them packs. The others start the bundles that were packed.
if (tarballs !== undefined) await pack(tarballs);
const e2e = all ? start("yarn", ["test:e2e"], "pipe") : undefined;
const ends = [
  await start("yarn", ["test:compiled"], "inherit").ended,
  await printed(lint),
  await printed(e2e),
];
process.exitCode = ends.find((code) => code !== 0) ?? 0;

/** Packs the public packages. If that fails, the suites pack themselves, and report the failure. */
async function pack(folder) {
  const each = ["workspaces", "foreach", "--all", "--no-private"];
  const out = ["pack", "--out", join(folder, "%s.tgz")];
  const packing = start("yarn", [...each, ...out], "pipe");
  if ((await packing.ended) === 0) writeFileSync(MARK, "");
  else rmSync(folder, { recursive: true, force: true });
}

/** Waits for the end of a program, prints its output, and returns its exit code. */
async function printed(program) {
  if (program === undefined) return 0;
  const code = await program.ended;
  process.stdout.write(Buffer.concat(program.output));
  return code;
}

/** Starts a program. `ended` resolves with its exit code. */
function start(program, args, stdio) {
  const child = spawn(program, args, {
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
