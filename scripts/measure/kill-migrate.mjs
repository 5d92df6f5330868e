// Kills migrate-repo repeatedly while someone works in the workspace, and then follows the printed commands.
// usage: yarn kill:migrate [--runs 300] [--seed 1] [--in-process]
// Each run is one of add (with clean-up and registration), apply, undo, sync, and a sync with conflicts; its recovery
// may be killed, too. Prints the problems, each with the seed that reproduces it (exactly with --in-process; a real
// process is killed at a random time). Exits with 1 if something was lost or stuck.
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { gitTestEnv } from "@skein/testing";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    "in-process": { type: "boolean", default: false },
  },
});

const dist = new URL("../../tools/migrate-repo/dist/landing/", import.meta.url);
const { buildWorlds } = await import(
  new URL("campaign-worlds.test.kit.js", dist)
);
const { killAndRecover, randomFrom, runnerInProcess } = await import(
  new URL("campaign.test.kit.js", dist)
);
const program = fileURLToPath(
  new URL("../../tools/migrate-repo/bin/migrate-repo.js", import.meta.url),
);

/** The latest time of a kill, in milliseconds. A command takes about one second. */
const LONGEST = 2500;

const worlds = await buildWorlds(!values["in-process"]);
const { pair, commands } = worlds;
const runner = values["in-process"]
  ? runnerInProcess(pair)
  : runnerOfProcesses(pair.target);
const first = Number(values.seed);
const ends = new Map();
let wrongs = 0;
for (let seed = first; seed < first + Number(values.runs); seed++) {
  const command = commands[seed % commands.length];
  await worlds.restore(command);
  const { story, wrong } = await killAndRecover(
    pair.target,
    command,
    runner,
    randomFrom(seed),
  );
  const end = `${command.name}: ${story.at(-1).split("\n")[0]}`;
  ends.set(end, (ends.get(end) ?? 0) + 1);
  if (wrong.length === 0) continue;
  wrongs += 1;
  console.log(`seed ${seed}\n  ${[...story, ...wrong].join("\n  ")}`);
}
for (const [end, times] of [...ends].sort())
  console.log(`${String(times).padStart(4)}  ${end}`);
console.log(`${values.runs} runs, ${wrongs} with something wrong`);
process.exitCode = wrongs > 0 ? 1 : 0;
await worlds[Symbol.asyncDispose]();

/**
 * Returns a runner of the program itself. A kill is a SIGKILL of the process, and half of the time also of all
 * processes that it has started.
 */
function runnerOfProcesses(cwd) {
  const start = (argv) =>
    spawn(process.execPath, [program, ...argv], {
      cwd,
      env: { ...gitTestEnv, HOME: cwd, PATH: process.env.PATH },
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const ended = (child) =>
    new Promise((resolve) => child.on("close", (code) => resolve(code)));
  return {
    async whole(argv) {
      const child = start(argv);
      let [stdout, stderr] = ["", ""];
      child.stdout.on("data", (chunk) => (stdout += chunk));
      child.stderr.on("data", (chunk) => (stderr += chunk));
      const code = await ended(child);
      return { code: code ?? 3, stdout, stderr };
    },
    async disturbed(argv, random, user) {
      const child = start(argv);
      child.stdout.resume();
      child.stderr.resume();
      const end = ended(child);
      const killAt = random(LONGEST);
      const workAt = random(killAt + 1);
      const isGroup = random(2) === 0;
      await Promise.race([end, sleep(workAt)]);
      user.act();
      await Promise.race([end, sleep(killAt - workAt)]);
      if (child.exitCode === null && child.signalCode === null)
        process.kill(isGroup ? -child.pid : child.pid, "SIGKILL");
      await end;
      // Git processes that are still running end by themselves, because their pipes are closed.
      if (!isGroup) await sleep(100);
    },
  };
}
