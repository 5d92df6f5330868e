// Implements `yarn bench:run`: Skein and its peers run scripts and replay them in the same workspaces. It prints progress on
// stderr and the report on stdout.
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { tempDir } from "@skein/testing";
import { skeinRoot } from "../../packed.js";
import { installAll } from "../install.js";
import { readMachine } from "../machine.js";
import { openBlock, RUN_BLOCK } from "../report/document.js";
import { measureColdCache } from "./cold-cache.js";
import { measureHits } from "./hits.js";
import { measureSite } from "./measure-site.js";
import { parseOptions, USAGE } from "./options.js";
import type { ReplayOptions } from "./options.js";
import { renderReplay } from "./render.js";
import { startServer } from "./server.js";
import { idleYarnBin, makeReplaySite } from "./site.js";
import { measureWatch } from "./watch.js";

const WATCHED_SAVES = 20;

const started = performance.now();
const args = process.argv.slice(2);
let document: Awaited<ReturnType<typeof openBlock>> | undefined;
let options: ReplayOptions | undefined;
try {
  if (args.includes("--help")) process.stdout.write(USAGE);
  else {
    const { out } = (options = parseOptions(args));
    if (out !== undefined)
      document = await openBlock(resolve(skeinRoot, out), RUN_BLOCK);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
  process.exitCode = 2;
  options = undefined;
}
if (options) await bench(options);

async function bench(options: ReplayOptions): Promise<void> {
  const { dir, packages, trivial, runners, runs, hits } = options;
  await using temporary = dir === undefined ? await tempDir() : undefined;
  const folder = resolve(temporary?.path ?? dir ?? ".");
  await mkdir(folder, { recursive: true });
  const machineBefore = readMachine();
  const installed = await installAll(
    folder,
    runners.map(({ tool }) => tool),
    say,
  );
  for (const { tool, problem } of installed)
    if (problem !== undefined) say(`${tool.name} is missing: ${problem}`);
  const contestants = runners.flatMap((runner) => {
    const modules = installed.find(({ tool }) => tool === runner.tool)?.modules;
    return modules === undefined ? [] : [{ runner, modules }];
  });
  await using server = await startServer(folder, say);
  const request = { runs, server: server.url, say };
  const measureKind = async (
    kind: "jest" | "trivial",
    count: number,
    fillWith: string | undefined,
  ) => {
    say(`generate ${count} packages (${kind})`);
    const site = await makeReplaySite(
      folder,
      { packages: count, kind },
      contestants,
    );
    const result = await measureSite(site, contestants, {
      ...request,
      fillWith,
    });
    return { site, result };
  };
  const jest =
    packages > 0 ? await measureKind("jest", packages, undefined) : undefined;
  const simple =
    trivial > 0
      ? await measureKind("trivial", trivial, await idleYarnBin(folder))
      : undefined;
  const report = renderReplay({
    machine: {
      ...machineBefore,
      load: [machineBefore.load[0], readMachine().load[0]],
    },
    command: ["yarn bench:run", ...args].join(" "),
    runs,
    versions: [
      ...contestants.flatMap(({ runner }) => runner.tool.install),
      "turborepo-remote-cache@2.12.0",
    ],
    jest: jest?.result,
    trivial: simple?.result,
    coldCacheMs: simple
      ? await measureColdCache(simple.site, contestants, runs, say)
      : undefined,
    hits: hits ? await measureHits(folder, contestants, say) : undefined,
    watch:
      simple && options.watch
        ? await measureWatch(simple.site, contestants, WATCHED_SAVES)
        : undefined,
  });
  process.stdout.write(report);
  await document?.replace(report);
  say("done");
}

function say(line: string): void {
  const seconds = Math.round((performance.now() - started) / 1000);
  process.stderr.write(`[${seconds} s] ${line}\n`);
}
