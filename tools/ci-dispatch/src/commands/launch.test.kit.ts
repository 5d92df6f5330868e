import { openGitHub } from "@skein/github";
import { runCli } from "@skein/reporting";
import type { LaunchCommand } from "../command.js";
import { launch } from "./launch.js";

let count = 0;
/** Ids of dispatchers in this process, as if each were a separate process. */
const living = new Set<number>();

/** The target of the launches in tests. */
export const target = {
  workflow: "job.yml",
  ref: "main",
  repository: "octo/app",
  inputs: {},
  retries: 1,
};

/** Runs the command in this process, with a GitHub whose seconds are short. */
export async function launchIn(
  {
    dir,
    env,
  }: {
    readonly dir: string;
    readonly env: Readonly<Record<string, string>>;
  },
  command: Partial<LaunchCommand> = {},
  now: () => number = Date.now,
) {
  const printed = { stdout: "", stderr: "" };
  const out = (name: keyof typeof printed) => ({
    write: (text: string) => (printed[name] += text),
  });
  const pid = -++count;
  living.add(pid);
  const exitCode = await runCli(
    "ci-dispatch",
    {
      node: {
        execPath: process.execPath,
        version: process.version,
        platform: process.platform,
        arch: process.arch,
        kill: (id: number, signal: NodeJS.Signals | 0) =>
          living.has(id) || process.kill(id, signal),
      },
      argv: [],
      env,
      cwd: dir,
      stdin: process.stdin,
      stdout: out("stdout"),
      stderr: out("stderr"),
      now,
      signal: new AbortController().signal,
      pid,
      random: Math.random,
      unguessable: () => `owner-${count++}`,
      collectEarly: () => undefined,
    },
    (each) =>
      launch(
        each,
        {
          kind: "launch",
          plan: "plan.json",
          state: "launch.json",
          attestations: "attestations",
          target,
          watch: true,
          whileHead: undefined,
          concurrency: 4,
          interval: 0.02,
          lostAfter: 6,
          timeout: 60,
          report: undefined,
          json: false,
          ...command,
        },
        (options) => openGitHub({ ...options, second: 1 }),
      ),
  );
  living.delete(pid);
  return { exitCode, ...printed };
}
