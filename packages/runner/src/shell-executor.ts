import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { drained } from "./drain.js";
import type {
  Executor,
  Job,
  JobEnd,
  Launcher,
  RunningJob,
} from "./executor.js";
import { endGroup, type Kill } from "./process-group.js";
import { FIRST_PIPE } from "./shell-host/protocol.js";
import type { RunReply, RunRequest } from "./shell-host/protocol.js";

export interface ShellExecutorOptions {
  /** The Node that runs the hosts that a launcher starts. */
  readonly execPath: string;
  /** The environment of the hosts themselves; scripts get their own. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly kill: Kill;
  readonly graceMs: number;
  /** The number of units that run at the same time, and so the maximum number of busy hosts. */
  readonly concurrency: number;
  /** The number of hosts to start immediately, so that they load while the first ones work. */
  readonly warm: number;
}

/** The maximum number of pipes of all busy hosts: each is an open file, and some systems allow no more than 1,024. */
const MOST_PIPES = 600;
/** The time for a launcher to end after its script, in milliseconds. */
const LAUNCHER_MS = 2_000;
/**
 * The maximum number of units per host. Each unit has its own pipe, so that its output ends when the last process that
 * writes to it ends.
 */
const MOST_UNITS = 48;

interface Host {
  readonly child: ChildProcess;
  used: number;
}

/**
 * Runs scripts by Yarn's shell, in reusable host processes. Each host leads a process group, so a script can be ended
 * with everything that it started, although the shell itself runs inside the host. Since a host serves many scripts,
 * one more script costs a message instead of a start of Node and the shell (about 125 ms).
 */
export function openShellExecutor(options: ShellExecutorOptions): Executor {
  const { env, kill, graceMs } = options;
  const unitsPerHost = Math.max(
    4,
    Math.min(MOST_UNITS, Math.floor(MOST_PIPES / options.concurrency)),
  );
  const idle: Host[] = [];
  const all = new Set<Host>();

  const open = (launcher?: Launcher): Host => {
    // A recorded host neither reads nor writes compiled code, because a recording shows what the script does.
    const program = launcher ? "host" : "main";
    const path = `./shell-host/${program}.cjs`;
    const child = fork(new URL(path, import.meta.url), {
      detached: true,
      env,
      ...(launcher && { execPath: launcher.program }),
      // Our own options (`--inspect`, `--input-type`) aren't for the hosts. A loader for PnP comes with NODE_OPTIONS.
      execArgv: launcher ? [...launcher.args, options.execPath] : [],
      stdio: [
        "ignore",
        "ignore",
        "ignore",
        "ipc",
        ...Array.from(
          { length: launcher ? 1 : unitsPerHost },
          () => "pipe" as const,
        ),
      ],
    });
    const host: Host = { child, used: 0 };
    all.add(host);
    // The exit event is sufficient. After a failed start there is no exit event, but no process id either.
    child.on("error", () => undefined);
    child.once("exit", () => all.delete(host));
    return host;
  };
  const drop = async (host: Host) => {
    const { pid } = host.child;
    if (pid !== undefined) await endGroup(kill, pid, graceMs);
    all.delete(host);
    // The unit that uses the current pipe reads it to its end.
    for (const pipe of host.child.stdio.slice(FIRST_PIPE + host.used))
      pipe?.destroy();
  };
  for (let i = 0; i < options.warm; i++) idle.push(open());

  return {
    via: "shell",
    start(job) {
      const host = job.launcher ? open(job.launcher) : (idle.pop() ?? open());
      return runIn(host, job, {
        stop: () => drop(host),
        release: () => {
          const isReusable =
            job.launcher === undefined && host.used < unitsPerHost;
          if (isReusable && host.child.connected) idle.push(host);
          else void drop(host);
        },
      });
    },
    async close() {
      await Promise.all([...all].map(drop));
    },
  };
}

interface Lease {
  /** Ends the host with everything in its group. */
  stop(): Promise<void>;
  /** Returns the host for the next script. */
  release(): void;
}

function runIn(host: Host, job: Job, lease: Lease): RunningJob {
  const { child } = host;
  const fd = FIRST_PIPE + host.used++;
  const output = child.stdio[fd] as Socket;
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= lease.stop());

  const run = async (): Promise<JobEnd> => {
    const { launcher, command, args, cwd, env } = job;
    const marker = launcher && { marker: launcher.marker };
    const reply = await ask(child, { fd, command, args, cwd, env, ...marker });
    if (launcher) await settled(child);
    const stopped = stopping !== undefined;
    const whole =
      reply !== undefined &&
      stopping === undefined &&
      (await drained([output]));
    if (whole) lease.release();
    else {
      // Ends all processes that outlived the script or its shell. After that, nothing writes to the pipe.
      await stop();
      await drained([output]);
      output.destroy();
    }
    return reply === undefined
      ? {
          exitCode: undefined,
          signal: child.signalCode ?? undefined,
          leftBehind: false,
          ...(!stopped && {
            detail: "the shell that ran the script was ended from outside",
          }),
        }
      : {
          exitCode: reply.exitCode,
          signal: reply.signal ?? undefined,
          leftBehind: !whole,
        };
  };
  return { outputs: [output], ended: run(), stop };
}

/**
 * Waits until a launcher has ended, because it holds the output's pipe open while it runs. It outlives the script if
 * processes that the script left behind do.
 */
async function settled(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const end = new AbortController();
  await Promise.race([
    once(child, "exit", { signal: end.signal }).catch(() => undefined),
    sleep(LAUNCHER_MS, undefined, { signal: end.signal }).catch(
      () => undefined,
    ),
  ]);
  end.abort();
}

/** Returns the host's answer; undefined if the host ends without one. */
function ask(
  child: ChildProcess,
  request: RunRequest,
): Promise<RunReply | undefined> {
  return new Promise((resolve) => {
    const answered = (reply: unknown) => settle(reply as RunReply);
    const gone = () => settle(undefined);
    const settle = (reply: RunReply | undefined) => {
      child.off("message", answered).off("exit", gone).off("error", gone);
      resolve(reply);
    };
    child.on("message", answered).on("exit", gone).on("error", gone);
    if (!child.connected) gone();
    else
      child.send(request, (error) => {
        if (error) gone();
      });
  });
}
