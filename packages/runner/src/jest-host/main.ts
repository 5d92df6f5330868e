// A Jest host: a process that has loaded Jest and runs it for several packages in turn. Each run is Jest's own command
// line, in the package's folder, with its arguments and its environment. At the end of a run, the host does what Node
// does at the end of a program. After each run, it compares its process with the state before.
import { readdirSync, readFileSync, writeSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { Socket } from "node:net";
import { performance } from "node:perf_hooks";
import { CHANNEL, type HostReply, type HostRequest } from "./protocol.js";
import { unsafeSettings } from "../jest/settings.js";
import { openModules } from "./modules.js";
import { openState, type State } from "./state.js";

type Listener = (...args: unknown[]) => unknown;
type ReadConfigs = (...args: unknown[]) => Promise<{
  readonly globalConfig: Record<string, unknown>;
  readonly configs: readonly Record<string, unknown>[];
}>;

/** How long open handles may keep the process after Jest's end, in milliseconds. Jest complains after the same time. */
const OPEN_HANDLES_MS = 1_000;

/** The modules that every run needs besides the command line. They are loaded before the state is recorded. */
const RESOLVER = "unrs-resolver";
const STAY = ["jest-environment-node", "jest-runner", "jest-circus/runner"];

const [, , bin = ""] = process.argv;
const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
/** Variables that the program before us (a shell) has added. A shell also starts Jest when it runs alone. */
const added = new Map(
  ["_", "SHLVL", "OLDPWD", "PWD"].flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]] as const],
  ),
);

let current: HostRequest | undefined;
let isFinished = false;
let leaks: NodeJS.Timeout | undefined;
let refusal: string | undefined;
let exitListeners: readonly unknown[] = [];

const modules = openModules(bin);
const jest = loadJest();
/** Opened by the first run, because Node itself has an exit listener while this module is evaluated. */
let state: State | undefined;

process.on("beforeExit", () => {
  if (current) end(current);
});
// Our parent has ended, so no process of our group may stay.
channel.on("close", () => process.kill(0, "SIGTERM"));
channel.on("error", () => undefined);
let rest = "";
channel.setEncoding("utf8").on("data", (chunk: string) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    void begin(JSON.parse(line) as HostRequest);
  }
});
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}
type Listen = (listener: () => void) => () => void;
interface Jest {
  run(): Promise<unknown>;
}

/** Loads Jest's command line, and checks the settings each time that Jest has resolved them. */
function loadJest(): Jest {
  const own = createRequire(bin);
  const cli = /[\\/]jest-cli[\\/]bin[\\/]/.test(bin) ? ".." : "jest-cli";
  const core = createRequire(
    createRequire(own.resolve(cli)).resolve("@jest/core"),
  );
  const config = core("jest-config") as { readConfigs: ReadConfigs };
  const { readConfigs } = config;
  config.readConfigs = async (...args) => {
    const read = await readConfigs(...args);
    const { globalConfig, configs } = read;
    const [unsafe] = unsafeSettings(globalConfig, configs);
    if (unsafe !== undefined) {
      refusal = `Jest's ${unsafe} asks for a process of its own`;
      // The promise never settles, so that the process becomes idle.
      return new Promise<never>(() => undefined);
    }
    // Jest's own timer would still run during the next package's run.
    return {
      ...read,
      globalConfig: { ...globalConfig, openHandlesTimeout: 0 },
    };
  };
  const loaded = core.resolve("jest-config");
  for (const name of STAY) createRequire(loaded)(name);
  // Since Jest 30, the module that resolves paths is loaded when the first path is resolved.
  const resolver = createRequire(createRequire(loaded).resolve("jest-resolve"));
  const { dependencies = {} } = resolver("../package.json") as Manifest;
  if (Object.hasOwn(dependencies, RESOLVER)) resolver(RESOLVER);
  // Jest listens for signals when it writes its cache. This call makes the remaining effects part of the initial state.
  const transform = createRequire(core.resolve("@jest/transform"));
  const signals = createRequire(transform.resolve("write-file-atomic"))(
    "signal-exit",
  ) as Listen | { readonly onExit: Listen };
  (typeof signals === "function" ? signals : signals.onExit)(() => undefined)();
  return own(cli) as Jest;
}

async function begin(request: HostRequest): Promise<void> {
  state ??= openState(process);
  current = request;
  isFinished = false;
  refusal = undefined;
  const { cwd, env, args } = request;
  for (const name of Object.keys(process.env))
    if (!Object.hasOwn(env, name)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, Object.fromEntries(added), env);
  process.env["NODE_ENV"] ??= "test";
  process.chdir(cwd);
  if (process.env["PWD"] !== undefined) process.env["PWD"] = cwd;
  process.argv = [process.execPath, bin, ...args];
  process.exitCode = undefined;
  const main = new Module(bin);
  main.filename = bin;
  main.loaded = true;
  Object.assign(process, { mainModule: main });
  performance.clearMarks();
  performance.clearMeasures();
  exitListeners = process.rawListeners("exit");
  channel.unref();
  try {
    await jest.run();
  } catch {
    return; // Jest's command line exits if it fails.
  }
  isFinished = true;
  leaks = setTimeout(() => {
    const open = "something kept the process running after Jest's end";
    if (current === request) reply(1, open, open);
  }, OPEN_HANDLES_MS).unref();
}

/** Ends a run. Nothing keeps the process running any more, so Node would end it here. */
function end({ cwd }: HostRequest): void {
  clearTimeout(leaks);
  const ours = new Set(exitListeners);
  for (const listener of process.rawListeners("exit")) {
    if (ours.has(listener)) continue;
    (listener as Listener).call(process, process.exitCode ?? 0);
    process.off("exit", listener as Listener);
  }
  const exitCode = Number(process.exitCode ?? 0);
  process.exitCode = undefined;
  const leak =
    process.listenerCount("beforeExit") > 1
      ? "something waited for the end of the process"
      : hasChildren()
        ? "processes were left running"
        : null;
  const unfinished =
    isFinished || refusal !== undefined
      ? null
      : "the process had nothing to do before Jest's end";
  const again = refusal ?? leak ?? unfinished;
  const spent =
    leak ?? unfinished ?? modules.forget(cwd) ?? state?.difference() ?? null;
  reply(exitCode, again, spent);
}

function reply(
  exitCode: number,
  again: string | null,
  spent: string | null,
): void {
  print(`\n${current?.end ?? ""}\n`);
  current = undefined;
  channel.ref();
  const rss = process.memoryUsage.rss();
  const ended: HostReply = { exitCode, again, spent, rss };
  channel.write(`${JSON.stringify(ended)}\n`);
}

/** Writes the whole text. If the reader is slow, the pipe rejects writes for a while. */
function print(text: string): void {
  for (let bytes = Buffer.from(text); bytes.length > 0;)
    try {
      bytes = bytes.subarray(writeSync(1, bytes));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
}

/** Returns whether another process of our group is still running. Without /proc, the parent detects it. */
function hasChildren(): boolean {
  let ids: readonly string[];
  try {
    ids = readdirSync("/proc");
  } catch {
    return false;
  }
  return ids.some((id) => {
    if (!/^\d+$/.test(id) || Number(id) === process.pid) return false;
    try {
      const stat = readFileSync(`/proc/${id}/stat`, "utf8");
      const [state, parent, group] = stat
        .slice(stat.lastIndexOf(")") + 2)
        .split(" ");
      return state !== "Z" && [parent, group].includes(String(process.pid));
    } catch {
      return false;
    }
  });
}
