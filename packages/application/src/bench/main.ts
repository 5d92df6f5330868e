// `yarn bench:affected`: asks Skein and similar tools the same question in generated workspaces, and compares the
// results. Progress goes to stderr, the report to stdout.
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { tempDir } from "@skein/testing";
import { skeinRoot } from "../packed.js";
import { installAll } from "./install.js";
import { readMachine } from "./machine.js";
import type { BenchOptions } from "./options.js";
import { parseOptions, USAGE } from "./options.js";
import { measureAffected } from "./parts/affected.js";
import type { SizeResult } from "./parts/affected.js";
import { measureLockfile } from "./parts/lockfile.js";
import { measureRunning } from "./parts/running.js";
import { BLOCK, openBlock } from "./report/document.js";
import { renderReport } from "./report/render.js";

const started = performance.now();
const args = process.argv.slice(2);
let document: Awaited<ReturnType<typeof openBlock>> | undefined;
let options: BenchOptions | undefined;
try {
  if (args.includes("--help")) process.stdout.write(USAGE);
  else {
    const { out } = (options = parseOptions(args));
    if (out !== undefined)
      document = await openBlock(resolve(skeinRoot, out), BLOCK);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
  options = undefined;
}
if (options) await bench(options);

async function bench(options: BenchOptions): Promise<void> {
  const { dir, parts, sizes, runs } = options;
  await using temporary = dir === undefined ? await tempDir() : undefined;
  const folder = resolve(temporary?.path ?? dir ?? ".");
  await mkdir(folder, { recursive: true });
  const machine = readMachine();
  const installed = await installAll(folder, options.tools, say);
  const measuring = { ...options, say };
  const lockfile = parts.has("lockfile")
    ? await measureLockfile(runs)
    : undefined;
  const running = parts.has("run")
    ? await measureRunning(folder, installed, measuring)
    : undefined;
  const results: SizeResult[] = [];
  if (parts.has("affected"))
    for (const size of sizes)
      results.push(await measureAffected(folder, size, installed, measuring));
  const report = renderReport({
    machine: { ...machine, load: [machine.load[0], readMachine().load[0]] },
    command: ["yarn bench:affected", ...args].join(" "),
    runs,
    versions: installed.flatMap(({ tool }) => tool.install),
    sizes: results,
    running,
    lockfile,
  });
  process.stdout.write(report);
  await document?.replace(report);
  say("done");
}

function say(line: string): void {
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stderr.write(`[${seconds} s] ${line}\n`);
}
