import { describe, expect, test } from "@jest/globals";
import { anyText } from "@skein/testing/any-text";
import fc from "fast-check";
import {
  decodeDescriptor,
  decodeString,
  readCall,
  readLine,
} from "./read-call.js";
import { descriptor, quote } from "./strace-text.test.support.js";

describe("readLine", () => {
  test.each([
    ["12 +++ exited with 0 +++", { kind: "ended", pid: 12 }],
    ["12 +++ killed by SIGKILL +++", { kind: "ended", pid: 12 }],
    [
      "12 +++ superseded by execve in pid 13 +++",
      { kind: "replaced", pid: 12, by: 13 },
    ],
    ["12 --- SIGCHLD {si_signo=SIGCHLD} ---", { kind: "signal", pid: 12 }],
    [
      '12 stat("a" <unfinished ...>',
      { kind: "unfinished", pid: 12, text: 'stat("a"' },
    ],
    [
      "12 <... stat resumed>, 0x1) = 0",
      { kind: "resumed", pid: 12, text: ", 0x1) = 0" },
    ],
    ['12    chdir("/") = 0', { kind: "call", pid: 12, text: 'chdir("/") = 0' }],
    // A file of this name looks like an end, but strace's own end has no quote after it.
    [
      '12 stat(" <unfinished ...>", 0x1) = 0',
      { kind: "call", pid: 12, text: 'stat(" <unfinished ...>", 0x1) = 0' },
    ],
    ["strace: Process 12 attached", { kind: "unknown" }],
    ["", { kind: "unknown" }],
  ])("%s", (line, expected) => {
    expect(readLine(line)).toEqual(expected);
  });
});

describe("readCall", () => {
  test.each([
    ["vfork() = 12", "vfork", [], "12"],
    ['access("/a", F_OK) = 0', "access", ['"/a"', "F_OK"], "0"],
    [
      'openat(AT_FDCWD</a,(b>, "c)\\", d", O_RDONLY) = 3</a,(b/c)\\", d>',
      "openat",
      ["AT_FDCWD</a,(b>", '"c)\\", d"', "O_RDONLY"],
      '3</a,(b/c)\\", d>',
    ],
    [
      'execve("/x", ["x", "a,b)"], 0x7f /* 3 vars, (all) */) = 0',
      "execve",
      ['"/x"', '["x", "a,b)"]', "0x7f /* 3 vars, (all) */"],
      "0",
    ],
    [
      "clone3({flags=CLONE_FS|CLONE_VM, stack=0x1} => {parent_tid=[7]}, 88) = 7",
      "clone3",
      ["{flags=CLONE_FS|CLONE_VM, stack=0x1} => {parent_tid=[7]}", "88"],
      "7",
    ],
    [
      'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("1.2.3.4")}, 16) = 0',
      "connect",
      [
        "3<socket:[1]>",
        '{sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("1.2.3.4")}',
        "16",
      ],
      "0",
    ],
    [
      'statx(3, "", 1<<12, X) = -1 ENOENT (No such file)',
      "statx",
      ["3", '""', "1<<12", "X"],
      "-1 ENOENT (No such file)",
    ],
  ])("%s", (text, name, args, result) => {
    expect(readCall(text)).toEqual({ name, args, result });
  });

  test.each(["", "exit_group(0)", 'open("a', 'open("a", ?', "(1) = 2"])(
    "%j isn't a complete call",
    (text) => {
      expect(readCall(text)).toBeUndefined();
    },
  );

  test("any arguments are parsed as they were written", () => {
    const word = fc.oneof(
      fc.string().map((text) => quote(text)),
      fc.string().map((text) => descriptor(`/${text}`)),
      fc.constantFrom(
        "O_RDONLY|O_CLOEXEC",
        "0x7f",
        "NULL",
        "{a=[1, 2], b=f(3)}",
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), word, (args, result) => {
        const text = `call(${args.join(", ")}) = ${result}`;
        expect(readCall(text)).toEqual({ name: "call", args, result });
      }),
    );
  });

  test("no line causes an exception", () => {
    fc.assert(
      fc.property(fc.string(), (line) => {
        readLine(`12 ${line}`);
        readCall(`open(${line}`);
      }),
    );
  });
});

describe("words", () => {
  test.each([
    ['"/a b"', "/a b"],
    ['"\\303\\251\\n\\"\\\\"', 'é\n"\\'],
    ['"\\0011"', "\u00011"],
    ['"\\x41"', "A"],
    // A string that strace truncated, an address, and bytes that aren't UTF-8.
    ['"/a"...', undefined],
    ["0x7f", undefined],
    ['"\\377"', undefined],
  ])("the string %s", (arg, expected) => {
    expect(decodeString(arg)).toBe(expected);
  });

  test.each([
    ["3</a\\76b>", "/a>b"],
    ["AT_FDCWD</>", "/"],
    ["3<socket:[12]>", undefined],
    ["3</a (deleted)>", undefined],
    ["3</a>(deleted)", undefined],
    ["3", undefined],
  ])("the descriptor %s", (arg, expected) => {
    expect(decodeDescriptor(arg)).toBe(expected);
  });

  test("any path is parsed as it was written", () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        const path = `/${Buffer.from(text).toString().replaceAll("\0", "")}x`;
        expect(decodeString(quote(path))).toBe(path);
        expect(decodeDescriptor(descriptor(path))).toBe(path);
      }),
    );
  });
});
