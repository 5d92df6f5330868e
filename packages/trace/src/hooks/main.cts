// `node --require` loads this file into the scripts that `affected trace` runs if strace isn't available. It writes a line
// for each file that is accessed through Node's `fs` or loaded as a module. It doesn't see other programs, or files that Node
// reads without `fs`.
const [childProcess, fs, module_, net, path, url] = [
  process.getBuiltinModule("node:child_process"),
  process.getBuiltinModule("node:fs"),
  process.getBuiltinModule("node:module"),
  process.getBuiltinModule("node:net"),
  process.getBuiltinModule("node:path"),
  process.getBuiltinModule("node:url"),
];

type Kind =
  | "read"
  | "write"
  | "found"
  | "list"
  | "link"
  | "make"
  | "remove"
  | "execute";
type Anything = (...args: unknown[]) => unknown;
type Methods = Record<string, Anything | undefined>;

/** The folder in which every process of the script writes its own file. */
const folder = process.env["SKEIN_TRACE_FOLDER"];
const { openSync, writeSync } = fs;
let log: number | undefined;
let isWriting = false;

/** A call with a callback or a promise ends later, so the hook checks beforehand whether the file exists. */
const PLAIN: Readonly<Record<string, Kind>> = {
  readFile: "read",
  createReadStream: "read",
  writeFile: "write",
  createWriteStream: "write",
  truncate: "write",
  stat: "found",
  lstat: "found",
  access: "found",
  exists: "found",
  readdir: "list",
  opendir: "list",
  readlink: "link",
  mkdir: "make",
  unlink: "remove",
  rmdir: "remove",
  rm: "remove",
};
/** Functions with two paths: the effect on the first, and that on the second. */
const PAIRS: Readonly<Record<string, readonly [Kind | undefined, Kind]>> = {
  rename: ["remove", "make"],
  copyFile: ["read", "write"],
  cp: ["read", "write"],
  link: ["read", "make"],
  symlink: [undefined, "make"],
};

if (folder !== undefined && folder !== "") install(folder);

function install(into: string): void {
  const { existsSync } = fs;
  const note = (kind: Kind, given: unknown): void => {
    const file = pathOf(given);
    if (file === undefined || isWriting) return;
    const isThere = existsSync(file);
    if (kind === "make" && isThere) kind = "found";
    if (kind !== "write" && kind !== "make" && !isThere)
      write(into, { kind: "missing", path: file });
    else
      write(into, {
        kind,
        path: file,
        ...(kind === "write" && { emptied: true }),
      });
  };
  for (const target of [fs, fs.promises] as unknown as Methods[]) {
    for (const [name, kind] of Object.entries(PLAIN))
      for (const method of [name, `${name}Sync`])
        wrap(target, method, ([file]) => note(kind, file));
    for (const [name, [from, to]] of Object.entries(PAIRS))
      for (const method of [name, `${name}Sync`])
        wrap(target, method, ([first, second]) => {
          if (from) note(from, first);
          note(to, second);
        });
    for (const method of ["open", "openSync"])
      wrap(target, method, ([file, flags]) =>
        note(isWrite(flags) ? "write" : "read", file),
      );
    for (const method of ["appendFile", "appendFileSync"])
      wrap(target, method, ([file]) => note("read", file));
  }
  module_.syncBuiltinESMExports();
  const loading = module_.prototype as unknown as Methods;
  wrap(loading, "load", ([file]) => note("read", file));
  wrap(
    childProcess.ChildProcess.prototype as unknown as Methods,
    "spawn",
    ([options]) => {
      const { file } = options as { file?: unknown };
      if (typeof file === "string" && file.includes("/")) note("execute", file);
    },
  );
  wrap(net.Socket.prototype as unknown as Methods, "connect", (args) => {
    const [first] = (Array.isArray(args[0]) ? args[0] : args) as unknown[];
    const { host, path: socket } = (first ?? {}) as Record<string, unknown>;
    if (typeof socket === "string")
      write(into, { kind: "connect", to: "file", address: socket });
    else if (
      typeof host === "string" &&
      !/^(?:localhost$|127\.|::1$)/.test(host)
    )
      write(into, { kind: "connect", to: "network", address: host });
  });
  module_.register(
    url.pathToFileURL(path.join(__dirname, "loader", "main.js")),
    {
      data: into,
    },
  );
}

function wrap(
  target: Methods,
  name: string,
  before: (args: readonly unknown[]) => void,
): void {
  const original = target[name];
  if (typeof original !== "function") return;
  const wrapped = function (this: unknown, ...args: unknown[]): unknown {
    try {
      before(args);
    } catch {
      // The script must not notice the recording.
    }
    return original.apply(this, args);
  };
  // The function's promisified form and constants are properties of it.
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
  target[name] = wrapped;
}

function isWrite(flags: unknown): boolean {
  return typeof flags === "number"
    ? (flags & (fs.constants.O_WRONLY | fs.constants.O_RDWR)) !== 0
    : typeof flags === "string" && flags !== "r" && flags !== "rs";
}

function pathOf(given: unknown): string | undefined {
  const file =
    given instanceof URL && given.protocol === "file:"
      ? url.fileURLToPath(given)
      : Buffer.isBuffer(given)
        ? given.toString()
        : given;
  return typeof file === "string" ? path.resolve(file) : undefined;
}

/** Writes one line: the time in nanoseconds, by a clock that all processes of the machine share, and the event. */
function write(into: string, event: object): void {
  isWriting = true;
  try {
    log ??= openSync(
      path.join(into, `${process.pid}-${process.hrtime.bigint()}.log`),
      "a",
    );
    writeSync(log, `${process.hrtime.bigint()} ${JSON.stringify(event)}\n`);
  } finally {
    isWriting = false;
  }
}
