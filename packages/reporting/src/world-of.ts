import { setMaxListeners } from "node:events";
import { writeSync } from "node:fs";
import { Failure } from "./failure.js";
import type { CliWorld, Out } from "./run-cli.js";

/**
 * Returns the world of the process that a tool runs in. The first Ctrl-C or SIGTERM aborts `signal`, with a
 * `Failure` as the reason. A second one ends the process as usual.
 *
 * If a reader closes the pipe (`… | head`), the tool continues: further output is dropped, and the exit code is that of
 * the finished work.
 * @param process Node's own; its streams are opened on first use
 * @param now returns milliseconds since 1970
 */
export function worldOf(process: NodeJS.Process, now: () => number): CliWorld {
  const stop = new AbortController();
  // All work that Ctrl-C ends listens to it. From the eleventh listener on, Node would warn of a leak.
  setMaxListeners(0, stop.signal);
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => {
      stop.abort(new Failure(`interrupted by ${signal}`));
    });
  const isDirect = process.platform !== "win32"; // Windows terminals don't accept raw bytes.
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: currentFolder(process),
    // Opening it takes 3 ms, and few commands read it.
    stdin: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
    },
    stdout: opened(isDirect && 1, () => process.stdout),
    stderr: opened(isDirect && 2, () => process.stderr),
    now,
    signal: stop.signal,
    onUncaught: (report) => {
      process.on("uncaughtException", (error) => {
        process.exit(report(error));
      });
    },
  };
}

/** Returns the current folder, or "" if it was deleted. `runCli` reports that later. */
function currentFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** The number of bytes that an empty pipe accepts without a reader. */
const PIPE = 65_536;

/**
 * Returns a stream that is opened on first use. Its modules then load in parallel with git, or never. Most commands
 * write a small text once, which needs no stream. For the fastest commands, loading one would be a tenth of their time.
 */
function opened(fd: number | false, open: () => NodeJS.WriteStream): Out {
  let isFirst = true;
  let stream: NodeJS.WriteStream | undefined;
  const use = () => {
    isFirst = false;
    if (stream) return stream;
    stream = open();
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw unwritable(error);
    });
    return stream;
  };
  return {
    write(text) {
      const rest =
        fd !== false && isFirst && text.length <= PIPE
          ? writeAtOnce(fd, text)
          : text;
      isFirst = false;
      return rest.length === 0 || use().write(rest);
    },
    get isTTY() {
      return use().isTTY;
    },
    get columns() {
      return use().columns;
    },
  };
}

/**
 * Writes text without waiting.
 * @returns the bytes that would have to wait; empty if the reader has gone
 */
function writeAtOnce(fd: number, text: string): Uint8Array {
  let rest = new TextEncoder().encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    return rest;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return new Uint8Array();
    // Another process made the descriptor non-blocking, and it is full.
    if (code === "EAGAIN") return rest;
    throw unwritable(error as NodeJS.ErrnoException);
  }
}

function unwritable(error: NodeJS.ErrnoException): Failure {
  return new Failure(`the output can't be written: ${error.message}`, {
    cause: error,
  });
}
