import Module, { builtinModules, createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import {
  factsOf,
  factsOfClass,
  factsOfModule,
  firstDifference,
} from "./facts.js";
import type { Fact } from "./facts.js";

/** What a process has that one run could leave behind for the next: tests share Node's own modules with the host. */
export interface State {
  /** Returns what is different from the beginning; null for nothing. */
  readonly difference: () => string | null;
}

/** To load one of these changes the process, or prints a warning. One that is loaded later shows in the list of modules. */
const NOT_LOADED =
  /^(?:_|domain$|process$|punycode$|sys$|inspector|trace_events$|wasi$|sqlite$|test|sea$|repl$|cluster$|node:)/;

/** Functions of Node that change the process without a trace that can be read. A call of one is remembered. */
const UNSEEN: Readonly<Record<string, readonly string[]>> = {
  async_hooks: ["createHook"],
  crypto: ["setEngine"],
  diagnostics_channel: ["subscribe"],
  http: ["setMaxIdleHTTPParsers"],
  module: ["register", "registerHooks", "enableCompileCache"],
  tls: ["setDefaultCACertificates"],
  v8: ["setFlagsFromString", "setHeapSnapshotNearHeapLimit"],
  worker_threads: ["setEnvironmentData"],
};
const UNSEEN_OF_PROCESS = [
  "dlopen",
  "setSourceMapsEnabled",
  "setUncaughtExceptionCaptureCallback",
];

const require = createRequire(import.meta.url);

/** Remembers the state of a process, which is this one. To be called once, when everything is loaded that stays. */
export function openState(process: NodeJS.Process): State {
  let called: string | null = null;
  const stacks = Object.fromEntries(
    STACKS.map((name): [string, unknown] => [name, Reflect.get(Error, name)]),
  );
  const builtins = builtinModules
    .filter((name) => !NOT_LOADED.test(name))
    .map((name) => [name, require(name) as object] as const);
  const note = (of: object, name: string, place: string) => {
    const original: unknown = Reflect.get(of, name);
    if (typeof original !== "function") return;
    Object.defineProperty(of, name, {
      configurable: true,
      enumerable: true,
      writable: true,
      value: new Proxy(original, {
        apply(target, self, given) {
          called = `${place}.${name} was called`;
          return Reflect.apply(target, self, given) as unknown;
        },
      }),
    });
  };
  for (const [module, names] of Object.entries(UNSEEN))
    for (const name of names) note(require(module) as object, name, module);
  for (const name of UNSEEN_OF_PROCESS) note(process, name, "process");

  // Node makes some of its globals when they are asked for; two of them warn.
  for (const name of Reflect.ownKeys(globalThis))
    if (!/^(?:local|session)Storage$/.test(String(name)))
      Reflect.get(globalThis, name);
  const pending = watchTimers();
  const before = facts(process, builtins);
  return {
    difference() {
      // Jest sets them for each run, and leaves them.
      Object.assign(Error, stacks);
      const timer = pending() ? "a timer is still set" : null;
      return (
        timer ?? firstDifference(before, facts(process, builtins)) ?? called
      );
    },
  };
}

/**
 * Remembers timers that don't keep the process: they would still run when the next package does.
 * @returns whether one of them is pending
 */
function watchTimers(): () => boolean {
  const sample = setTimeout(() => undefined, 0);
  clearTimeout(sample);
  const of = Reflect.getPrototypeOf(sample) as Timers;
  const { unref } = of;
  const all = new Set<Timer>();
  of.unref = function (this: Timer) {
    all.add(this);
    return unref.call(this);
  };
  return () => {
    const open = [...all].some((each) => !each._destroyed && !each.hasRef());
    all.clear();
    return open;
  };
}

interface Timer {
  readonly _destroyed: boolean;
  readonly hasRef: () => boolean;
}
interface Timers {
  unref: (this: Timer) => unknown;
}

function facts(
  process: NodeJS.Process,
  builtins: readonly (readonly [string, object])[],
): readonly Fact[] {
  const found = builtins.flatMap(([name, of]) => factsOfModule(name, of));
  found.push(...factsOf("globalThis", globalThis));
  for (const name of INTRINSICS)
    found.push(
      ...factsOfClass(name, Reflect.get(globalThis, name) as object, STACKS),
    );
  found.push(...factsOf("require.extensions", MODULE._extensions));
  found.push(
    ...factsOf("process", process, ["argv", "exitCode", "mainModule"]),
  );
  for (const event of process.eventNames())
    found.push([`listeners of ${String(event)}`, process.listenerCount(event)]);
  found.push(
    ["umask", umaskOf(process)],
    ["defaults of DNS", readable("dns", "getDefaultResultOrder")],
    ["servers of DNS", readable("dns", "getServers")],
    ["FIPS", readable("crypto", "getFips")],
    ["timeline", performance.getEntries().filter(isForeign).length],
    ["modules of Node", loadedModules(process)],
    ["open handles", handles(process)],
  );
  return found;
}

const MODULE = Module as unknown as { readonly _extensions: object };
/** How errors show where they were made. */
const STACKS = ["prepareStackTrace", "stackTraceLimit"];
const INTRINSICS = [
  ...["Object", "Function", "Array", "String", "Number", "Boolean", "Symbol"],
  ...["Promise", "Error", "TypeError", "RangeError", "RegExp", "Date", "Math"],
  ...["JSON", "Map", "Set", "WeakMap", "WeakSet", "Reflect", "Proxy", "Intl"],
  ...["ArrayBuffer", "Uint8Array", "DataView", "BigInt", "Buffer", "console"],
  ...["URL", "URLSearchParams", "EventTarget", "AbortSignal", "TextEncoder"],
];

function umaskOf(process: NodeJS.Process): number {
  const mask = process.umask(0);
  process.umask(mask);
  return mask;
}

function readable(module: string, name: string): string {
  const of = require(module) as object;
  const read: unknown = Reflect.get(of, name);
  return typeof read === "function"
    ? JSON.stringify((read as () => unknown)())
    : "";
}

function isForeign({ name }: { readonly name: string }): boolean {
  return !name.startsWith("jest/");
}

/** Modules of Node's own that a script has asked for and that we have not loaded. */
function loadedModules(process: NodeJS.Process): string {
  const { moduleLoadList } = process as unknown as {
    readonly moduleLoadList: readonly string[];
  };
  return moduleLoadList
    .filter((name) => /^NativeModule (?!internal\/|process$)/.test(name))
    .sort()
    .join();
}

/** Open handles of any kind, with those that don't keep a process: servers, sockets, watchers. A timer's stays open for a while after the timer. */
function handles(process: NodeJS.Process): string {
  const { report } = process as unknown as {
    readonly report: { excludeNetwork?: boolean; getReport(): Report };
  };
  report.excludeNetwork = true;
  const { libuv, workers = [] } = report.getReport();
  const open = libuv
    .filter(
      ({ type, is_active }) =>
        is_active === true && !/^(?:loop|timer)$/.test(type),
    )
    .map(({ type }) => type);
  return [...open, ...workers.map(() => "worker")].sort().join();
}

interface Report {
  readonly libuv: readonly {
    readonly type: string;
    readonly is_active?: boolean;
  }[];
  readonly workers?: readonly unknown[];
}
