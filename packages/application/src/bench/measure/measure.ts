import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { yarnTestEnv } from "@skein/testing";

/** A program to measure. */
export interface Command {
  readonly cwd: string;
  /** The program (relative to `cwd` if it contains a `/`), and its arguments. */
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** The result of one run of a command: times and output. */
export interface Sample {
  readonly wallMs: number;
  /**
   * User and system time of the process and of all children that it waited for; undefined if the machine has no GNU
   * time.
   */
  readonly cpuMs: number | undefined;
  /** Resident memory of its largest process, in megabytes (10^6); undefined if the machine has no GNU time. */
  readonly peakMb: number | undefined;
  /** The data that all its processes wrote, in megabytes; undefined if the machine has no GNU time. */
  readonly writtenMb?: number | undefined;
  readonly exitCode: number;
  /** True if the run reached its time limit and was killed. */
  readonly stopped: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

const GNU_TIME = "/usr/bin/time";
const measuresTrees = existsSync(GNU_TIME);

/**
 * Runs a command once to its end, with nothing else at the same time.
 * @throws if it can't be started
 */
export async function measure(
  { cwd, argv, env = {} }: Command,
  timeoutMs: number,
): Promise<Sample> {
  const folder = await mkdtemp(join(tmpdir(), "skein-bench-"));
  const record = join(folder, "time");
  const prefix = measuresTrees
    ? [GNU_TIME, "--quiet", "--output", record, "--format", "%U %S %M %O"]
    : [];
  const [program = "", ...args] = [...prefix, ...argv];
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  const start = performance.now();
  const child = spawn(program, args, {
    cwd,
    env: { ...yarnTestEnv(), ...QUIET, ...env },
    stdio: ["ignore", "pipe", "pipe"],
    // A separate process group, so that all of it can be stopped.
    detached: true,
  });
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const ending = { stopped: false };
  const timer = globalThis.setTimeout(() => {
    ending.stopped = true;
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  }, timeoutMs);
  // Measure until the program itself exits, not until its pipes close.
  const closed = once(child, "close");
  let wallMs = 0;
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code) => {
      wallMs = performance.now() - start;
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
  await drained(child, closed);
  const usage =
    measuresTrees && !ending.stopped ? await readUsage(record) : NO_USAGE;
  await rm(folder, { recursive: true, force: true });
  const text = (chunks: readonly Buffer[]) =>
    Buffer.concat(chunks).toString("utf8");
  return {
    wallMs,
    ...usage,
    exitCode,
    stopped: ending.stopped,
    stdout: text(out),
    stderr: text(err),
  };
}

/** Turns off telemetry, clouds and colours. */
const QUIET = {
  // Each start of Node reads these certificates before its first line, which takes 50 to 100 ms. No measured program
  // needs them.
  NODE_EXTRA_CA_CERTS: "",
  NO_COLOR: "1",
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1",
  NX_NO_CLOUD: "true",
  NX_TUI: "false",
  GIT_CONFIG_GLOBAL: "/dev/null",
};

const NO_USAGE = { cpuMs: undefined, peakMb: undefined };

async function readUsage(file: string) {
  const last = (await readFile(file, "utf8")).trim().split("\n").at(-1) ?? "";
  const [user = 0, system = 0, kilobytes = 0, blocks = 0] = last
    .split(" ")
    .map(Number);
  return {
    cpuMs: (user + system) * 1000,
    peakMb: (kilobytes * 1024) / 1e6,
    writtenMb: (blocks * 512) / 1e6,
  };
}

/**
 * Waits for the end of the output, but at most a second: a daemon that a command leaves behind may keep the pipes open.
 */
async function drained(
  child: ChildProcess,
  closed: Promise<unknown>,
): Promise<void> {
  const wait = new AbortController();
  const late = setTimeout(1000, undefined, { signal: wait.signal });
  await Promise.race([closed, late.catch(() => undefined)]);
  wait.abort();
  child.stdout?.destroy();
  child.stderr?.destroy();
}
