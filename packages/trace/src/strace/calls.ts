import type { TraceEvent } from "../event.js";
import { isDone, Lost, NOTHING } from "./call-effect.js";
import type { CallContext, CallEffect, Read } from "./call-effect.js";
import { decodeDescriptor, decodeString, type Call } from "./read-call.js";
import { bound, connected, messageName, sent } from "./sockets.js";

/** The name doesn't exist, or one of the folders above it isn't a folder. */
const isMissing = ({ result }: Call) => /^-1 E(?:NOENT|NOTDIR)\b/.test(result);
/** The call failed, but only because the name exists. */
const isThere = ({ result }: Call) =>
  /^-1 E(?:EXIST|ISDIR|INVAL|NOTEMPTY|ACCES|PERM|LOOP|TXTBSY|NXIO|NOEXEC)\b/.test(
    result,
  );

/** In these folders of Linux, a path begins at a folder of one process, and the resolver belongs to another. */
const OF_ONE_PROCESS = /^\/proc\/(?:self|thread-self|\d+)\/(?:cwd|root)\//;

function assertShared(path: string): string {
  if (OF_ONE_PROCESS.test(path)) throw new Lost("a path through /proc");
  return path;
}

/** Returns a path in an argument, relative to the process's folder. */
function plain(index: number) {
  return ({ args }: Call, { cwd }: CallContext): string => {
    const path = decodeString(args[index] ?? "");
    if (path === undefined) throw new Lost("a path that cannot be read");
    if (path.startsWith("/")) return assertShared(path);
    if (cwd === undefined) throw new Lost("a process whose folder is unknown");
    return `${cwd}/${path}`;
  };
}

/** Returns a path in an argument, relative to a descriptor's folder; undefined if it means the descriptor itself. */
function at(folder: number, index: number) {
  return ({ args }: Call): string | undefined => {
    const path = decodeString(args[index] ?? "");
    if (path === undefined) {
      if (args[index] === "NULL") return undefined;
      throw new Lost("a path that cannot be read");
    }
    if (path === "") return undefined;
    // With this flag of openat2, "/" is the descriptor's folder.
    if (/\bRESOLVE_IN_ROOT\b/.test(args.join()))
      throw new Lost("a path below another root folder");
    if (path.startsWith("/")) return assertShared(path);
    const from = decodeDescriptor(args[folder] ?? "");
    // A descriptor has no path only if its folder was removed, or if it isn't a folder.
    return from === undefined ? undefined : `${from}/${path}`;
  };
}

type Place = (call: Call, context: CallContext) => string | undefined;

/** Reads a call that succeeds, or shows whether a name exists. */
function named(
  place: Place,
  done: (path: string, call: Call) => readonly TraceEvent[],
): Read {
  return (call, context) => {
    const path = place(call, context);
    if (path === undefined) return NOTHING;
    if (isDone(call)) return { events: done(path, call) };
    if (isMissing(call)) return { events: [{ kind: "missing", path }] };
    return isThere(call) ? { events: [{ kind: "found", path }] } : NOTHING;
  };
}

function opened(place: Place, flagsAt: number | string): Read {
  const open = named(place, (path, call) => {
    const flags =
      typeof flagsAt === "number" ? (call.args[flagsAt] ?? "") : flagsAt;
    if (/\bO_TMPFILE\b/.test(flags)) return [];
    const real = decodeDescriptor(call.result);
    const where = { path, ...(real !== undefined && { real }) };
    // Reading a folder means listing it.
    if (/\bO_(?:PATH|DIRECTORY)\b/.test(flags))
      return [{ kind: "found", path }];
    if (/\bO_CREAT\b.*\bO_EXCL\b/.test(flags))
      return [{ kind: "make", path: real ?? path }];
    const emptied = /\bO_TRUNC\b/.test(flags);
    const write: TraceEvent = { kind: "write", ...where, emptied };
    if (/\bO_WRONLY\b/.test(flags)) return [write];
    const read: TraceEvent = { kind: "read", ...where };
    if (!/\bO_RDWR\b/.test(flags)) return [read];
    return emptied ? [write] : [read, write];
  });
  return (call, context) => {
    // The call requires a folder, but the name is an existing file.
    const isFile =
      /\bO_DIRECTORY\b/.test(call.args.join()) &&
      call.result.startsWith("-1 ENOTDIR");
    const path = isFile ? place(call, context) : undefined;
    return path === undefined
      ? open(call, context)
      : { events: [{ kind: "found", path }] };
  };
}

const stat = (place: Place) =>
  named(place, (path) => [{ kind: "found", path }]);
const made = (place: Place) => named(place, (path) => [{ kind: "make", path }]);
const madeFolder =
  (place: Place): Read =>
  (call, context) => {
    const exists = call.result.startsWith("-1 EEXIST");
    const path = exists ? place(call, context) : undefined;
    return path === undefined
      ? made(place)(call, context)
      : { events: [{ kind: "exists", path }] };
  };
const linked = (place: Place) =>
  named(place, (path, { args }) => {
    const target = decodeString(args[0] ?? "");
    return [{ kind: "make", path, ...(target !== undefined && { target }) }];
  });
const removed = (place: Place) =>
  named(place, (path) => [{ kind: "remove", path }]);

function moved(from: Place, to: Place, event: "move" | "copy"): Read {
  return (call, context) => {
    const [old, next] = [from(call, context), to(call, context)];
    if (old === undefined || next === undefined) return NOTHING;
    if (!isDone(call)) {
      const kind = isMissing(call) ? "missing" : "found";
      // ENOENT doesn't identify the missing name.
      return isMissing(call) || isThere(call)
        ? { events: [old, next].map((path) => ({ kind, path })) }
        : NOTHING;
    }
    if (event === "move" && !/\bRENAME_EXCHANGE\b/.test(call.args.join()))
      return { events: [{ kind: "move", from: old, to: next }] };
    if (event === "move") throw new Lost("two files that changed places");
    return {
      events: [
        { kind: "read", path: old },
        { kind: "make", path: next },
      ],
    };
  };
}

/** Reads a call that changes the working folder, to a path or to a descriptor's folder. */
function went(place: Place): Read {
  return (call, context) => {
    const path = place(call, context);
    if (path === undefined) return NOTHING;
    if (isMissing(call)) return { events: [{ kind: "missing", path }] };
    return isDone(call)
      ? { events: [{ kind: "found", path }], cwd: path }
      : NOTHING;
  };
}

const descriptor =
  (index: number): Place =>
  ({ args }) =>
    decodeDescriptor(args[index] ?? "");

/** Returns the path at a folder's descriptor, or that of the descriptor itself (AT_EMPTY_PATH). */
const atOrItself =
  (folder: number, index: number): Place =>
  (call) =>
    at(folder, index)(call) ?? descriptor(folder)(call, NOWHERE);

const NOWHERE: CallContext = { cwd: undefined, isNode: false };

function started({ name, args, result }: Call): CallEffect {
  const pid = Number(/^\d+/.exec(result)?.[0]);
  if (!(pid > 0)) return NOTHING;
  const shares = name.startsWith("clone") && /\bCLONE_FS\b/.test(args.join());
  const flags = args.join();
  const lost = /\bCLONE_UNTRACED\b/.test(flags)
    ? { lost: "a child that refuses to be recorded" }
    : /\bCLONE_NEWNS\b/.test(flags)
      ? { lost: "a process with its own view of the file system" }
      : {};
  return { events: [], child: { pid, shares }, ...lost };
}

/** Reads a call that leaves the parent's folder or its view of the file system. */
const unshared: Read = (call, context) =>
  /\bCLONE_(?:FS|NEWNS)\b/.test(call.args.join())
    ? never("a process with its own view of the file system")(call, context)
    : NOTHING;

/** Reads a call that can't be recorded if it succeeds. */
const never =
  (what: string): Read =>
  (call) =>
    isDone(call) ? { events: [], lost: what } : NOTHING;

/**
 * Node 22 and later make a ring only for epoll, without a thread of the kernel. Files use a separate ring, which
 * `UV_USE_IO_URING=0` disables (libuv 1.51, src/unix/linux.c, `uv__iou_init`).
 */
const ringMade: Read = (call, context) =>
  context.isNode && !/flags=[^,]*SQPOLL/.test(call.args[1] ?? "")
    ? NOTHING
    : never("a process that reads files by io_uring")(call, context);

/** All recorded calls and their effects. strace accepts names that a processor's Linux lacks. */
export const CALLS: Readonly<Record<string, Read>> = {
  open: opened(plain(0), 1),
  openat: opened(at(0, 1), 2),
  openat2: opened(at(0, 1), 2),
  creat: opened(plain(0), "O_WRONLY|O_CREAT|O_TRUNC"),
  truncate: named(plain(0), (path) => [
    { kind: "write", path, emptied: false },
  ]),
  stat: stat(plain(0)),
  lstat: stat(plain(0)),
  access: stat(plain(0)),
  newfstatat: stat(at(0, 1)),
  fstatat64: stat(at(0, 1)),
  statx: stat(at(0, 1)),
  faccessat: stat(at(0, 1)),
  faccessat2: stat(at(0, 1)),
  readlink: named(plain(0), (path) => [{ kind: "link", path }]),
  readlinkat: named(at(0, 1), (path) => [{ kind: "link", path }]),
  getdents: named(descriptor(0), (path) => [{ kind: "list", path }]),
  getdents64: named(descriptor(0), (path) => [{ kind: "list", path }]),
  execve: named(plain(0), (path) => [{ kind: "execute", path }]),
  execveat: named(atOrItself(0, 1), (path) => [{ kind: "execute", path }]),
  chdir: went(plain(0)),
  fchdir: went(descriptor(0)),
  rename: moved(plain(0), plain(1), "move"),
  renameat: moved(at(0, 1), at(2, 3), "move"),
  renameat2: moved(at(0, 1), at(2, 3), "move"),
  link: moved(plain(0), plain(1), "copy"),
  linkat: moved(at(0, 1), at(2, 3), "copy"),
  symlink: linked(plain(1)),
  symlinkat: linked(at(1, 2)),
  mkdir: madeFolder(plain(0)),
  mkdirat: madeFolder(at(0, 1)),
  mknod: made(plain(0)),
  mknodat: made(at(0, 1)),
  unlink: removed(plain(0)),
  unlinkat: removed(at(0, 1)),
  rmdir: removed(plain(0)),
  // These look a name up, to read or change its attributes. A changed source has another change time afterwards.
  ...Object.fromEntries(
    [
      ...["chmod", "chown", "lchown", "utime", "utimes", "statfs"],
      ...["getxattr", "lgetxattr", "listxattr", "llistxattr"],
      // For programs of 32 bits.
      ...["stat64", "lstat64", "statfs64", "chown32", "lchown32"],
    ].map((name) => [name, stat(plain(0))]),
  ),
  ...Object.fromEntries(
    ["fchmodat", "fchmodat2", "fchownat", "utimensat", "futimesat"].map(
      (name) => [name, stat(at(0, 1))],
    ),
  ),
  truncate64: named(plain(0), (path) => [
    { kind: "write", path, emptied: false },
  ]),
  inotify_add_watch: stat(plain(1)),
  connect: connected,
  sendto: sent((args) => args[4]),
  sendmsg: sent(messageName),
  sendmmsg: sent(messageName),
  bind: bound,
  getsockname: bound,
  fork: started,
  vfork: started,
  clone: started,
  clone2: started,
  clone3: started,
  // After these calls, paths have another meaning, or files are opened without a recorded call.
  chroot: never("a process that changed its root folder"),
  pivot_root: never("a process that changed its root folder"),
  mount: never("a changed view of the file system"),
  move_mount: never("a changed view of the file system"),
  setns: never("a process with its own view of the file system"),
  unshare: unshared,
  io_uring_setup: ringMade,
  open_by_handle_at: never("a file that was opened by a handle"),
};

/** Reads one call. Pure; never throws. */
export function effectOf(call: Call, context: CallContext): CallEffect {
  const read = Object.hasOwn(CALLS, call.name) ? CALLS[call.name] : undefined;
  if (!read) return NOTHING;
  try {
    return read(call, context);
  } catch (error) {
    if (error instanceof Lost)
      return { events: [], lost: `${call.name}: ${error.message}` };
    throw error;
  }
}
