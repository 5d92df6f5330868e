import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  json,
  rootManifest,
  tempDir,
  writeFiles,
  yarnIn,
  yarnPath,
  yarnTestEnv,
} from "@skein/testing";
import { openYarnProject } from "./yarn/yarn-project.js";
import { planUnits, type PlanUnitsInput } from "./order/plan-units.js";
import { runUnits, type RunUnitsOptions } from "./run-units.js";
import type { RunReport, UnitResult } from "./unit.js";

const scripts = {
  shell:
    'FOO="a b" node -p "process.env.FOO" && echo \'single $HOME\' && echo "$npm_package_name" *.txt',
  where: "cd sub && node -p \"process.cwd().split('/').slice(-2).join('/')\"",
  args: 'node -e "console.log(JSON.stringify(process.argv.slice(1)))" --',
  nested: "run ok && yarn ok && yarnpkg ok",
  dep: "dep-bin from-$INIT_CWD && own-bin",
  ok: "echo ok",
  host: "node -p process.ppid",
  fails: "echo before; node -e 'process.exit(7)'",
  killed: "node -e \"process.kill(process.pid, 'SIGKILL')\"",
  syntax: "echo 'unfinished",
  missing: "no-such-program",
  euro: "node euro.cjs",
  big: "node -e \"for (let i = 0; i < 2e5; i++) console.log('line', i)\"",
  forever: "node forever.cjs & node forever.cjs",
  stubborn: "node stubborn.cjs",
  sleeps: "sleep 60",
  behind: "node behind.cjs",
  suicide: "node -e \"process.kill(process.ppid, 'SIGKILL')\"",
  stdin:
    "node -e \"process.stdin.on('end', () => console.log('end')).resume()\"",
  empty: "",
};

/** An installed workspace of two packages, whose scripts can be run. */
export interface RunnerWorld extends AsyncDisposable {
  readonly root: string;
  /** Runs one script of `@m/a`, or what the options specify. */
  readonly run: (
    script: string,
    options?: Partial<RunUnitsOptions> & Partial<PlanUnitsInput>,
  ) => Promise<RunReport>;
  /** Returns the result of one script that runs alone. */
  readonly alone: (
    script: string,
    options?: Parameters<RunnerWorld["run"]>[1],
  ) => Promise<UnitResult>;
}

/** Creates a workspace for tests of the runner. The caller disposes of it. */
export async function runnerWorld(): Promise<RunnerWorld> {
  const dir = await tempDir();
  const root = dir.path;
  const beat = `const fs = require("fs"); setInterval(() => fs.appendFileSync(__filename + "." + process.pid + ".beat", "."), 20);`;
  await writeFiles(root, {
    "package.json": rootManifest("root"),
    "yarn.lock": "",
    ".yarnrc.yml": `nodeLinker: node-modules\nyarnPath: ${yarnPath}\n`,
    "packages/dep/package.json": json({
      name: "@m/dep",
      version: "2.0.0",
      bin: { "dep-bin": "bin.js" },
    }),
    "packages/dep/bin.js": "console.log('dep', ...process.argv.slice(2))",
    "packages/a/package.json": json({
      name: "@m/a",
      version: "1.0.0",
      bin: { "own-bin": "./own.js" },
      scripts,
      dependencies: { "@m/dep": "workspace:^" },
    }),
    "packages/a/own.js": "console.log('own')",
    "packages/a/x.txt": "",
    "packages/a/y.txt": "",
    "packages/a/sub/z.txt": "",
    "packages/a/euro.cjs": `const bytes = Buffer.from("€".repeat(50)); let i = 0; const next = () => i < bytes.length && process.stdout.write(bytes.subarray(i, ++i), () => setTimeout(next, 1)); next();`,
    "packages/a/forever.cjs": `${beat} require("child_process").spawn(process.execPath, ["-e", ${JSON.stringify("setInterval(() => 0, 1000)")}], { stdio: "inherit" }); console.log("started");`,
    "packages/a/stubborn.cjs": `process.on("SIGTERM", () => console.log("no")); ${beat} console.log("started");`,
    "packages/a/behind.cjs": `require("child_process").spawn(process.execPath, [__dirname + "/stubborn.cjs"], { stdio: "inherit" }); setTimeout(() => process.exit(0), 300);`,
  });
  await yarnIn(root, "install");
  const project = await openYarnProject({
    root,
    env: yarnTestEnv(),
    node: process,
  });
  const run: RunnerWorld["run"] = (script, options = {}) =>
    runUnits(
      planUnits({
        workspaces: [
          { name: "@m/a", version: "1.0.0", dir: "packages/a", scripts },
        ],
        edges: [],
        scripts: [script],
        ...options,
      }),
      { project, concurrency: 2, now: () => performance.now(), ...options },
    );
  return {
    root,
    run,
    async alone(script, options = {}) {
      const { results } = await run(script, options);
      const [result] = results;
      if (result === undefined) throw new Error("no result");
      return result;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}

/** Returns the output of a unit. */
export function text(result: UnitResult): string {
  return "output" in result ? result.output.text : "";
}
/** Returns whether a script that writes a heartbeat has stopped. */
export async function isStill(dir: string): Promise<boolean> {
  const beats = async () =>
    Promise.all(
      (await readdir(dir))
        .filter((name) => name.endsWith(".beat"))
        .map(async (name) => (await readFile(join(dir, name))).length),
    );
  const before = await beats();
  await sleep(150);
  return JSON.stringify(before) === JSON.stringify(await beats());
}
