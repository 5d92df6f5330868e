import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { PassThrough, type Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type {
  Job,
  JobEnd,
  RunningJob,
  SharedExecutor,
  SharedExecutorOptions,
} from "./executor.js";
import { CHANNEL } from "./jest-host/protocol.js";
import type { HostReply, HostRequest } from "./jest-host/protocol.js";
import { endGroup } from "./process-group.js";
import { canShareEnv, parsePlainJest } from "./jest/plain-jest.js";

/** The memory limit of all hosts together, in bytes. A host that exceeds its share is replaced. */
const MOST_BYTES = 2 * 1024 ** 3;
/** The smallest share of a host, in bytes. Jest itself uses 100 to 200 MB. */
const LEAST_BYTES = 400 * 1024 ** 2;

/** Variables that differ between packages although their scripts can share a process. */
const OF_PACKAGE =
  /^(?:PATH|BERRY_BIN_FOLDER|INIT_CWD|PWD|npm_(?:execpath|node_execpath|package_\w+|lifecycle_event))$/;
const JEST = /[\\/]node_modules[\\/]jest(?:-cli)?[\\/]bin[\\/]jest\.js$/;

interface Host {
  readonly child: ChildProcess;
  readonly channel: Duplex;
  readonly key: string;
  /** The folders of the packages that it has run, because Jest caches data about files by their paths. */
  readonly dirs: Set<string>;
}

interface Shared {
  readonly key: string;
  readonly bin: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

/**
 * Opens an executor of plain `jest` scripts. A job ends with exit code 0 only if Jest would have exited with 0 in its own
 * process, as far as the host can detect. After any other end, the job has to run in its own process.
 */
export function openJestExecutor(
  options: SharedExecutorOptions,
): SharedExecutor {
  const { kill, graceMs, concurrency } = options;
  const share = Math.max(LEAST_BYTES, MOST_BYTES / Math.max(1, concurrency));
  const idle: Host[] = [];
  const all = new Set<Host>();
  let runs = 0;

  const drop = async (host: Host) => {
    if (idle.includes(host)) idle.splice(idle.indexOf(host), 1);
    const { pid } = host.child;
    if (pid !== undefined) await endGroup(kill, pid, graceMs);
    all.delete(host);
  };
  const hostFor = (shared: Shared): Host => {
    const at = idle.findIndex(
      ({ key, dirs }) => key === shared.key && !dirs.has(shared.cwd),
    );
    const [found] = at < 0 ? [] : idle.splice(at, 1);
    if (found) return found;
    const [oldest] = all.size < concurrency ? [] : idle;
    if (oldest) void drop(oldest);
    const opened = open(shared, options);
    all.add(opened);
    opened.child.once("exit", () => all.delete(opened));
    return opened;
  };
  return {
    via: "batch",
    takes: (job) => sharedOf(job) !== undefined,
    start(job) {
      const shared = sharedOf(job);
      if (!shared) throw new Error(`no plain Jest: ${job.command}`);
      const host = hostFor(shared);
      host.dirs.add(shared.cwd);
      return runIn(host, shared, {
        end: `skein-run-${String(host.child.pid)}-${String(runs++)}`,
        stop: () => drop(host),
        release: () => idle.push(host),
        mostBytes: share,
      });
    },
    async close() {
      await Promise.all([...all].map(drop));
    },
  };
}

/** Returns the properties that determine which jobs can share a process; undefined if the job needs its own process. */
function sharedOf(job: Job): Shared | undefined {
  const plain = parsePlainJest(job.command, job.args);
  const program = job.programs?.get("jest");
  if (!plain || program === undefined || !existsSync(program)) return undefined;
  const bin = realpathSync(program);
  const env = { ...job.env, ...plain.assigned };
  if (!JEST.test(bin) || !canShareEnv(env)) return undefined;
  const common = Object.entries(env).filter(([name]) => !OF_PACKAGE.test(name));
  return {
    key: JSON.stringify([bin, common.sort()]),
    bin,
    cwd: realpathSync(job.cwd),
    env,
    args: plain.args,
  };
}

function open(
  { bin, cwd, env, key }: Shared,
  { execPath }: SharedExecutorOptions,
): Host {
  const main = fileURLToPath(new URL("./jest-host/main.js", import.meta.url));
  // One pipe for both outputs keeps their order. A shell starts the program, as it does for any script.
  const child = spawn(
    "/bin/sh",
    ["-c", 'exec "$@" 2>&1', "sh", execPath, main, bin],
    { cwd, env, detached: true, stdio: ["ignore", "pipe", "ignore", "pipe"] },
  );
  const channel = child.stdio[CHANNEL] as Duplex;
  channel.setEncoding("utf8").on("error", () => undefined);
  child.on("error", () => undefined); // `replyOf` handles this event.
  return { child, channel, key, dirs: new Set() };
}

interface Lease {
  /** The line that ends the run's output. */
  readonly end: string;
  /** Ends the host with everything in its group. */
  stop(): Promise<void>;
  /** Returns the host to the idle ones. */
  release(): unknown;
  /** The memory, in bytes, above which a host isn't reused. */
  readonly mostBytes: number;
}

function runIn(host: Host, shared: Shared, lease: Lease): RunningJob {
  const { child, channel } = host;
  const { cwd, env, args } = shared;
  const output = new PassThrough();
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= lease.stop());

  const run = async (): Promise<JobEnd> => {
    const printed = pipeUntil(host, `\n${lease.end}\n`, output);
    const ended = replyOf(host);
    const request: HostRequest = { cwd, env, args, end: lease.end };
    channel.write(`${JSON.stringify(request)}\n`);
    const reply = await ended;
    if (!reply) {
      const detail = "the process ended without a result";
      const signal = child.signalCode ?? undefined;
      await stop();
      output.end();
      return { exitCode: undefined, signal, leftBehind: false, detail };
    }
    const { exitCode, again, spent, rss } = reply;
    await printed;
    // Handles and memory that this run left behind must not affect the next one.
    if (spent !== null || rss > lease.mostBytes) await stop();
    else lease.release();
    return {
      exitCode: again === null ? exitCode : undefined,
      signal: undefined,
      leftBehind: false,
      ...(again !== null && { detail: again }),
    };
  };
  return { outputs: [output], ended: run(), stop };
}

/** Forwards a host's output until the line that ends the run, or until the host ends. */
async function pipeUntil(
  { child }: Host,
  word: string,
  output: PassThrough,
): Promise<void> {
  const { stdout } = child;
  if (!stdout) return;
  const end = Buffer.from(word);
  let rest: Buffer = Buffer.alloc(0);
  await new Promise<void>((resolve) => {
    const take = (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      const at = rest.indexOf(end);
      const whole = at < 0 ? Math.max(0, rest.length - end.length) : at;
      output.write(rest.subarray(0, whole));
      rest = rest.subarray(whole);
      if (at >= 0) finish();
    };
    const finish = () => {
      stdout.off("data", take).off("close", finish);
      if (!output.writableEnded) output.end();
      resolve();
    };
    stdout.on("data", take).on("close", finish);
  });
}

/** Returns the host's answer; undefined if the host ends without one. */
async function replyOf({
  child,
  channel,
}: Host): Promise<HostReply | undefined> {
  const end = new AbortController();
  let rest = "";
  const reply = new Promise<HostReply | undefined>((resolve) => {
    const take = (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      if (lines[0] !== undefined) resolve(JSON.parse(lines[0]) as HostReply);
    };
    const gone = () => resolve(undefined);
    channel.on("data", take).on("close", gone);
    child.on("exit", gone).on("error", gone);
    end.signal.addEventListener("abort", () => {
      channel.off("data", take).off("close", gone);
      child.off("exit", gone).off("error", gone);
    });
    if (child.exitCode !== null || child.signalCode !== null) gone();
  });
  try {
    return await reply;
  } finally {
    end.abort();
  }
}
