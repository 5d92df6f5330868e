import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { yarnTestEnv } from "@skein/testing";
import { commandOf } from "./measure-site.js";
import type { WatchResult } from "./render.js";
import type { Contestant, ReplaySite } from "./site.js";

/** The number of saves that aren't counted, while programs are loaded and compiled. */
const WARM_UP = 2;

/**
 * Measures the time from a save to the line of `affected watch test` with the number of affected packages. Each save
 * changes the file's content.
 * @returns undefined if Skein isn't among the tools
 */
export async function measureWatch(
  site: ReplaySite,
  contestants: readonly Contestant[],
  saves: number,
): Promise<WatchResult | undefined> {
  const skein = contestants.find(({ runner }) => runner.name === "skein");
  if (!skein) return undefined;
  const { cwd, argv, env } = commandOf(skein.runner, site);
  const [program = "node", bin = ""] = argv;
  const child = spawn(program, [bin, "watch", "test", "--no-cache"], {
    cwd,
    env: { ...yarnTestEnv(), NODE_EXTRA_CA_CERTS: "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => (printed += chunk.toString()));
  const until = async (words: RegExp) => {
    while (!words.test(printed)) await once(child.stderr, "data");
    printed = "";
    return performance.now();
  };
  const file = join(cwd, site.leaf);
  const text = await readFile(file, "utf8");
  const answersMs: number[] = [];
  try {
    await until(/waiting for changes/);
    for (let save = 0; save < saves + WARM_UP; save++) {
      const start = performance.now();
      await writeFile(file, `${text}// save ${save}\n`);
      const end = await until(/^saved .* affected$/m);
      if (save >= WARM_UP) answersMs.push(end - start);
      await until(/waiting for changes/);
    }
  } finally {
    child.kill("SIGINT");
    await once(child, "exit");
    await writeFile(file, text);
  }
  return { packages: site.members.length, answersMs };
}
