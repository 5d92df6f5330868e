import { describe, expect, test } from "@jest/globals";
import { transcript } from "@skein/testing";
import fc from "fast-check";
import { StraceParser } from "./strace-parser.js";
import { descriptor, quote } from "./strace-text.test.support.js";

function parse(lines: readonly string[], cwd = "/w") {
  const parser = new StraceParser(cwd);
  const events = lines.flatMap((line) => parser.push(line));
  const end = parser.end();
  return { events: [...events, ...end.events], lost: end.lost };
}

const EXIT = "1 +++ exited with 0 +++";

/** Calls, and their events. */
const CALLS = `
open("a", O_RDONLY) = 3</w/a>
  kind=read path=/w/a real=/w/a
openat(AT_FDCWD</x>, "l", O_RDONLY|O_CLOEXEC) = 3</t>
  kind=read path=/x/l real=/t
openat(4</d>, "../e", O_RDONLY) = 3</e>
  kind=read path=/d/../e real=/e
openat(AT_FDCWD</w>, "n", O_RDONLY) = -1 ENOENT (No such file or directory)
  kind=missing path=/w/n
openat(AT_FDCWD</w>, "n/m", O_RDONLY) = -1 ENOTDIR (Not a directory)
  kind=missing path=/w/n/m
openat(AT_FDCWD</w>, "f", O_RDONLY|O_DIRECTORY) = -1 ENOTDIR (Not a directory)
  kind=found path=/w/f
openat(AT_FDCWD</w>, ".", O_RDONLY|O_DIRECTORY) = 3</w>
  kind=found path=/w/.
openat(AT_FDCWD</w>, "o", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/o>
  kind=write path=/w/o real=/w/o emptied=true
openat(AT_FDCWD</w>, "o", O_RDWR|O_CREAT, 0666) = 3</w/o>
  kind=read path=/w/o real=/w/o
  kind=write path=/w/o real=/w/o emptied=false
openat(AT_FDCWD</w>, "o", O_WRONLY|O_CREAT|O_EXCL, 0666) = 3</w/o>
  kind=make path=/w/o
openat2(AT_FDCWD</w>, "o", {flags=O_RDONLY, mode=0}, 24) = 3</w/o>
  kind=read path=/w/o real=/w/o
creat("o", 0666) = 3</w/o>
  kind=write path=/w/o real=/w/o emptied=true
statx(3</w/a>, "", AT_EMPTY_PATH, STATX_ALL, {}) = 0
lstat("a", {st_mode=S_IFREG|0644}) = 0
  kind=found path=/w/a
access("a", X_OK) = -1 EACCES (Permission denied)
  kind=found path=/w/a
readlink("a", 0x1, 9) = -1 EINVAL (Invalid argument)
  kind=found path=/w/a
readlink("a", "b", 9) = 1
  kind=link path=/w/a
getdents64(3</w>, 0x1 /* 2 entries */, 32768) = 48
  kind=list path=/w
execve("./p", ["p"], 0x1 /* 3 vars */) = 0
  kind=execute path=/w/./p
renameat2(AT_FDCWD</w>, "a", AT_FDCWD</w>, "b", RENAME_NOREPLACE) = 0
  kind=move from=/w/a to=/w/b
link("a", "b") = 0
  kind=read path=/w/a
  kind=make path=/w/b
symlinkat("a", AT_FDCWD</w>, "b") = 0
  kind=make path=/w/b target=a
link("a", "b") = -1 EEXIST (File exists)
  kind=found path=/w/a
  kind=found path=/w/b
rename("a", "d/b") = -1 ENOENT (No such file or directory)
  kind=missing path=/w/a
  kind=missing path=/w/d/b
openat(AT_FDCWD</w>, "l", O_RDONLY|O_NOFOLLOW) = -1 ELOOP (Too many levels of symbolic links)
  kind=found path=/w/l
execveat(3</w/p>, "", ["p"], 0x1 /* 1 var */, AT_EMPTY_PATH) = 0
  kind=execute path=/w/p
utimensat(AT_FDCWD</w>, "a", NULL, 0) = -1 ENOENT (No such file or directory)
  kind=missing path=/w/a
lgetxattr("a", "security.selinux", 0x1, 255) = -1 ENODATA (No data available)
mkdir("d", 0777) = -1 EEXIST (File exists)
  kind=exists path=/w/d
mkdir("d", 0777) = -1 ENOENT (No such file or directory)
  kind=missing path=/w/d
unlinkat(AT_FDCWD</w>, "d", AT_REMOVEDIR) = 0
  kind=remove path=/w/d
connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("1.2.3.4")}, 16) = -1 EINPROGRESS (Operation now in progress)
  kind=connect to=network address=1.2.3.4
connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("127.0.0.9")}, 16) = 0
  kind=connect to=port address=80
connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(0), sin_addr=inet_addr("127.0.0.1")}, 16) = 0
bind(3<socket:[1]>, {sa_family=AF_INET6, sin6_port=htons(0), inet_pton(AF_INET6, "::", &sin6_addr)}, 28) = 0
getsockname(3<socket:[1]>, {sa_family=AF_INET6, sin6_port=htons(40001), inet_pton(AF_INET6, "::", &sin6_addr)}, [128 => 28]) = 0
  kind=bind port=40001
bind(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(80), sin_addr=inet_addr("0.0.0.0")}, 16) = 0
  kind=bind port=80
sendto(3<UDP:[1]>, "sa_family=AF_INET", 17, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.8.8")}, 16) = 17
  kind=connect to=network address=8.8.8.8
sendto(3<UDP:[1]>, "8.8.8.8", 7, 0, NULL, 0) = 7
sendmsg(3<UDP:[1]>, {msg_name={sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("8.8.4.4")}, msg_namelen=16, msg_iov=[{iov_base="x", iov_len=1}], msg_iovlen=1, msg_controllen=0, msg_flags=0}, 0) = 1
  kind=connect to=network address=8.8.4.4
sendmmsg(3<UDP:[1]>, [{msg_hdr={msg_name=NULL, msg_namelen=0, msg_iov=[{iov_base="x", iov_len=1}], msg_iovlen=1}, msg_len=1}], 1, 0) = 1
connect(3<socket:[1]>, {sa_family=AF_INET6, sin6_port=htons(5), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr)}, 28) = 0
  kind=connect to=network address=2001:db8::1
connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 9) = 0
  kind=connect to=file address=/run/x
bind(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="s"}, 9) = 0
  kind=make path=/w/s
# Lookups in a folder that was removed have no effect.
openat(AT_FDCWD</w (deleted)>, "x", O_RDONLY) = -1 ENOENT (No such file or directory)
`;

describe("events of calls", () => {
  test.each(transcript(CALLS))("%s", (call, events) => {
    expect(parse([`1 ${call}`, EXIT])).toEqual({ events, lost: [] });
  });

  test.each([
    ['open("aa"..., O_RDONLY) = 3</w/aa>', "open: a path that cannot be read"],
    ['chroot("/x") = 0', "a process that changed its root folder"],
    ["io_uring_setup(8, {}) = 3", "a process that reads files by io_uring"],
    [
      "clone(flags=CLONE_UNTRACED|SIGCHLD) = 2",
      "a child that refuses to be recorded",
    ],
    [
      'renameat2(AT_FDCWD</w>, "a", AT_FDCWD</w>, "b", RENAME_EXCHANGE) = 0',
      "renameat2: two files that changed places",
    ],
    [
      'openat2(3</d>, "/x", {flags=O_RDONLY, resolve=RESOLVE_IN_ROOT}, 24) = -1 ENOENT (No such file or directory)',
      "openat2: a path below another root folder",
    ],
    [
      'stat("/proc/self/cwd/x", {}) = -1 ENOENT (No such file or directory)',
      "stat: a path through /proc",
    ],
    ["unshare(CLONE_FS) = 0", "a process with its own view of the file system"],
    [
      "clone(flags=CLONE_NEWNS|SIGCHLD) = 2",
      "a process with its own view of the file system",
    ],
    [
      'mount("/a", "/b", NULL, MS_BIND, NULL) = 0',
      "a changed view of the file system",
    ],
    ["what is this", "a call that cannot be read"],
  ])("%s is reported as lost", (call, lost) => {
    expect(parse([`1 ${call}`, EXIT]).lost).toEqual([lost]);
  });
});

test("the ring that Node creates for epoll hides no files, but any other may", () => {
  const ring = (flags: string) =>
    parse([
      '1 execve("/usr/bin/node", ["node", "x.js"], 0x1) = 0',
      `1 io_uring_setup(256, {flags=${flags}, sq_thread_cpu=0}) = 4`,
      EXIT,
    ]).lost;
  expect(ring("0x10000 /* IORING_SETUP_??? */")).toEqual([]);
  expect(ring("IORING_SETUP_SQPOLL|0x10000")).toEqual([
    "a process that reads files by io_uring",
  ]);
});

describe("processes", () => {
  test("a recording that was cut off is incomplete", () => {
    expect(parse(['1 stat("a", {}) = 0']).lost).toEqual([
      "the end of the recording",
    ]);
    expect(parse([EXIT, '7 open("a", O_RDONLY) = 3</a>'])).toEqual({
      events: [],
      lost: [
        "open: a process whose folder is unknown",
        "the start of a process",
      ],
    });
  });

  test("a thread that executes a program continues with the id of its process", () => {
    const { events, lost } = parse([
      "1 clone(flags=CLONE_VM|CLONE_FS) = 2",
      '2 execve("p", ["p"], 0x1 /* 1 var */ <unfinished ...>',
      "1 +++ superseded by execve in pid 2 +++",
      "1 <... execve resumed>) = 0",
      'stat("a", {}) = 0'.replace(/^/, "1 "),
      EXIT,
    ]);
    expect(events).toEqual([
      { kind: "execute", path: "/w/p" },
      { kind: "found", path: "/w/a" },
    ]);
    expect(lost).toEqual([]);
  });

  test("the files that Yarn itself reads are recognised, and its child processes count as usual", () => {
    const yarn = '["node", "/p/.yarn/releases/yarn-4.1.0.cjs", "run", "x"]';
    const { events, lost } = parse([
      `1 execve("/usr/bin/node", ${yarn}, 0x1 /* 1 var */) = 0`,
      "1 clone(flags=CLONE_VM|CLONE_FS) = 2",
      '2 open("/p/package.json", O_RDONLY) = 3</p/package.json>',
      "1 vfork( <unfinished ...>",
      '3 open("before", O_RDONLY) = 3</w/before>',
      '3 execve("/bin/cat", ["cat", "yarn.js"], 0x1 /* 1 var */) = 0',
      '3 open("yarn.js", O_RDONLY) = 3</w/yarn.js>',
      "1 <... vfork resumed>) = 3",
      EXIT,
    ]);
    expect(events).toEqual([
      { kind: "execute", path: "/usr/bin/node" },
      { kind: "found", path: "/p/package.json" },
      { kind: "found", path: "/w/before" },
      { kind: "execute", path: "/bin/cat" },
      { kind: "read", path: "/w/yarn.js", real: "/w/yarn.js" },
    ]);
    expect(lost).toEqual([]);
  });

  test("lines of a thread wait for those of its process", () => {
    const { events, lost } = parse([
      "1 clone(flags=SIGCHLD <unfinished ...>",
      "2 clone(flags=CLONE_VM|CLONE_FS) = 3",
      '2 chdir("d") = 0',
      '3 open("a", O_RDONLY) = 3</w/d/a>',
      '2 chdir("/w/e") = 0',
      '3 open("b", O_RDONLY) = 3</w/e/b>',
      "1 <... clone resumed>) = 2",
      EXIT,
    ]);
    expect(events).toEqual([
      { kind: "found", path: "/w/d" },
      { kind: "read", path: "/w/d/a", real: "/w/d/a" },
      { kind: "found", path: "/w/e" },
      { kind: "read", path: "/w/e/b", real: "/w/e/b" },
    ]);
    expect(lost).toEqual([]);
  });

  test("the folder of a process is unknown if a thread changed it while the process started", () => {
    const { lost } = parse([
      "1 clone(flags=CLONE_VM|CLONE_FS) = 2",
      "1 clone(flags=SIGCHLD <unfinished ...>",
      '2 chdir("d") = 0',
      "1 <... clone resumed>) = 3",
      '3 open("a", O_RDONLY) = 3</w/a>',
      EXIT,
    ]);
    expect(lost).toEqual(["open: a process whose folder is unknown"]);
  });

  test("a killed process has an incomplete call", () => {
    expect(
      parse([
        '1 openat(AT_FDCWD</w>, "a", O_RDONLY) = ?',
        "1 +++ killed by SIGKILL +++",
      ]),
    ).toEqual({ events: [], lost: [] });
  });

  // A step: the process, its action, and whether strace interrupts its line until the process acts again.
  const step = fc.record({
    who: fc.nat(7),
    what: fc.constantFrom(
      "open",
      "openat",
      "stat",
      "chdir",
      "fchdir",
      "fork",
      "thread",
    ),
    split: fc.boolean(),
    name: fc.constantFrom("a b", 'q"<', "é", "d\n"),
  });

  test("paths are relative to the folder of their own process, even if lines are interleaved", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { lines, expected } = simulate(steps);
        const { events, lost } = parse(lines);
        expect(lost).toEqual([]);
        const paths = events.flatMap((event) =>
          event.kind === "read" ? [event.path] : [],
        );
        expect(paths.toSorted()).toEqual(expected.toSorted());
      }),
    );
  });
});

interface Simulated {
  readonly pid: number;
  readonly folder: { path: string };
  /** The rest of an interrupted line. */
  rest: string | undefined;
}

interface Step {
  readonly who: number;
  readonly what: string;
  readonly split: boolean;
  readonly name: string;
}

/** Simulates a program, and writes the output of strace. The simulation knows the paths that were opened. */
function simulate(steps: readonly Step[]) {
  const lines: string[] = [];
  const expected: string[] = [];
  const processes: Simulated[] = [
    { pid: 1, folder: { path: "/w" }, rest: undefined },
  ];
  const write = (
    process: Simulated,
    begin: string,
    end: string,
    split: boolean,
  ) => {
    lines.push(`${process.pid} ${begin}${split ? " <unfinished ...>" : end}`);
    if (split) process.rest = end;
  };
  const resume = (process: Simulated) => {
    if (process.rest !== undefined)
      lines.push(`${process.pid} <... call resumed>${process.rest}`);
    process.rest = undefined;
  };
  for (const [index, { who, what, split, name }] of steps.entries()) {
    const process = processes[who % processes.length];
    if (!process) continue;
    resume(process);
    const { folder } = process;
    const file = `${name}${String(index)}`;
    const whole = `${folder.path}/${file}`;
    const at = descriptor(folder.path, "AT_FDCWD");
    switch (what) {
      case "open":
        expected.push(whole);
        write(
          process,
          `open(${quote(file)}, O_RDONLY`,
          `) = ${descriptor(whole)}`,
          split,
        );
        break;
      case "openat":
        expected.push(whole);
        write(
          process,
          `openat(${at}, ${quote(file)}`,
          `, O_RDONLY) = ${descriptor(whole)}`,
          split,
        );
        break;
      case "stat":
        write(process, `stat(${quote(file)}`, `, {st_mode=0}) = 0`, split);
        break;
      case "chdir":
        write(process, `chdir(${quote(file)}`, `) = 0`, false);
        folder.path = whole;
        break;
      case "fchdir":
        write(process, `fchdir(${descriptor("/other")}`, `) = 0`, false);
        folder.path = "/other";
        break;
      case "fork":
      case "thread": {
        const pid = processes.length + 1;
        const shares = what === "thread";
        // Such a line is whole where threads share a folder: another thread could change the folder before its end.
        const isShared =
          shares ||
          processes.some((each) => each !== process && each.folder === folder);
        write(
          process,
          `clone(flags=${shares ? "CLONE_VM|CLONE_FS" : "SIGCHLD"}`,
          `) = ${pid}`,
          split && !isShared,
        );
        processes.push({
          pid,
          folder: shares ? folder : { path: folder.path },
          rest: undefined,
        });
      }
    }
  }
  for (const process of processes) resume(process);
  for (const { pid } of processes.toReversed())
    lines.push(`${pid} +++ exited with 0 +++`);
  return { lines, expected };
}
