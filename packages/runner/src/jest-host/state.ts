import Module, { builtinModules, createRequire } from "node:module";
import { performance } from "node:perf_hooks";
import {
  firstDifference,
  snapshotOf,
  snapshotsOfClass,
  snapshotsOfModule,
} from "./facts.js";
import type { Snapshot } from "./facts.js";
import { watchStorages } from "./storages.js";

/**
 * The parts of a process that one run could change for the next, because tests share Node's own modules with the host.
 */
export interface State {
  /** Returns a difference from the initial state; null if there is none. */
  readonly difference: () => string | null;
}

/**
 * Modules that change the process or print a warning when they are loaded. If a run loads one, the list of modules
 * shows it.
 */
const NOT_LOADED =
  /^(?:_|domain$|process$|punycode$|sys$|inspector|trace_events$|wasi$|sqlite$|test|sea$|repl$|cluster$|node:)/;

/** Properties that Node computes on first access, and then replaces by their values. A run that reads one changes nothing. */
const LAZY: Readonly<Record<string, readonly string[]>> = {
  buffer: ["Blob", "File", "resolveObjectURL"],
  fs: ["Dir", "opendir", "opendirSync"],
  util: ["MIMEParams", "MIMEType", "parseArgs", "TextDecoder", "TextEncoder"],
};

/** Functions of Node that change the process in a way that can't be read back. The host records calls of them. */
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

/** Records the state of this process. Must be called once, when all modules that stay are loaded. */
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
        apply(target, self, given: readonly unknown[]) {
          if (!given.some(isHarmlessAddon))
            called = `${place}.${name} was called`;
          return Reflect.apply(target, self, given) as unknown;
        },
      }),
    });
  };
  for (const [module, names] of Object.entries(UNSEEN))
    for (const name of names) note(require(module) as object, name, module);
  for (const name of UNSEEN_OF_PROCESS) note(process, name, "process");

  for (const [module, names] of Object.entries(LAZY))
    for (const name of names) Reflect.get(require(module) as object, name);
  // Node makes some of its globals on first access; two of them print a warning.
  for (const name of Reflect.ownKeys(globalThis))
    if (!/^(?:local|session)Storage$/.test(String(name)))
      Reflect.get(globalThis, name);
  const pending = watchTimers();
  const closeStorages = watchStorages();
  const before = snapshots(process, builtins);
  const readBefore = readings(process);
  return {
    difference() {
      closeStorages();
      // Jest sets these properties for each run, and doesn't restore them.
      Object.assign(Error, stacks);
      const timer = pending() ? "a timer is still set" : null;
      return (
        timer ??
        firstDifference(before) ??
        changedReading(readBefore, readings(process)) ??
        called
      );
    },
  };
}

/** Native code of compilers that transform one file after another. The argument of `process.dlopen` names it. */
const HARMLESS_ADDONS =
  /[\\/]node_modules[\\/]@swc[\\/]core-[^\\/]+[\\/][^\\/]+\.node$/;

function isHarmlessAddon(argument: unknown): boolean {
  return typeof argument === "string" && HARMLESS_ADDONS.test(argument);
}

/**
 * Records timers that don't keep the process running. They could still run during the next package's run.
 * @returns a function that returns whether one of them is pending
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

function snapshots(
  process: NodeJS.Process,
  builtins: readonly (readonly [string, object])[],
): readonly Snapshot[] {
  return [
    ...builtins.flatMap(([name, of]) => snapshotsOfModule(name, of)),
    snapshotOf("globalThis", globalThis),
    ...INTRINSICS.flatMap((name) =>
      snapshotsOfClass(name, Reflect.get(globalThis, name) as object, STACKS),
    ),
    snapshotOf("require.extensions", MODULE._extensions),
    snapshotOf("process", process, ["argv", "exitCode", "mainModule"]),
  ];
}

/** Parts of the process that no property shows, by their names. */
type Readings = ReadonlyMap<string, string | number>;

function readings(process: NodeJS.Process): Readings {
  return new Map<string, string | number>([
    ...process
      .eventNames()
      .map((event): [string, number] => [
        `listeners of ${String(event)}`,
        process.listenerCount(event),
      ]),
    ["umask", umaskOf(process)],
    ["defaults of DNS", readable("dns", "getDefaultResultOrder")],
    ["servers of DNS", readable("dns", "getServers")],
    ["FIPS", readable("crypto", "getFips")],
    ["timeline", performance.getEntries().filter(isForeign).length],
    ["modules of Node", loadedModules(process)],
    ["open handles", handles(process)],
  ]);
}

function changedReading(before: Readings, now: Readings): string | null {
  const changed = [...before.keys(), ...now.keys()].find(
    (name) => before.get(name) !== now.get(name),
  );
  return changed === undefined ? null : `${changed} was changed`;
}

const MODULE = Module as unknown as { readonly _extensions: object };
/** The properties that determine the stacks of errors. */
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

/**
 * Returns the loaded modules of Node, except internal ones. The list changes if a run loads another one. The only effect of
 * `punycode`, which jsdom loads, is a warning.
 */
function loadedModules(process: NodeJS.Process): string {
  const { moduleLoadList } = process as unknown as {
    readonly moduleLoadList: readonly string[];
  };
  return moduleLoadList
    .filter((name) =>
      /^NativeModule (?!internal\/|(?:process|punycode)$)/.test(name),
    )
    .sort()
    .join();
}

/**
 * Returns the open handles of any kind, including those that don't keep a process running: servers, sockets, watchers.
 * A timer's handle stays open for a while after the timer, so timers are ignored.
 */
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
