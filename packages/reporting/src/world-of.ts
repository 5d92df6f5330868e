import { writeSync } from "node:fs";
import type { CliWorld, Out } from "./run-cli.js";

/**
 * The process that a tool runs in. The first Ctrl-C or SIGTERM aborts `signal`; a second one ends the
 * process as ever.
 *
 * A reader that goes away (`… | head`) ends nothing: what it does not read is dropped, the work is done, and the exit
 * code tells how it went.
 * @param process Node's own; none of its streams is opened before it is used
 * @param now milliseconds since 1970
 */
export function worldOf(process: NodeJS.Process, now: () => number): CliWorld {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(signal));
  const isDirect = process.platform !== "win32"; // Its terminals do not take bytes as they are.
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: currentFolder(process),
    // Opening it takes 3 ms, and hardly anybody reads it.
    stdin: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
    },
    stdout: opened(isDirect && 1, () => process.stdout),
    stderr: opened(isDirect && 2, () => process.stderr),
    now,
    signal: stop.signal,
  };
}

/** Returns "" where the folder was deleted: there is nobody yet to report it. */
function currentFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/** Bytes that an empty pipe takes without anybody reading them. */
const PIPE = 65_536;

/**
 * Returns a stream that is opened when it is used first: what it takes to load is then waited for beside git, or never. Most
 * commands write once and little, which needs no stream: of what takes less time than that, loading it is a tenth.
 */
function opened(fd: number | false, open: () => NodeJS.WriteStream): Out {
  let isFirst = true;
  let stream: NodeJS.WriteStream | undefined;
  const use = () => {
    isFirst = false;
    if (stream) return stream;
    stream = open();
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
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

/** @returns what could not be written without waiting; nothing where nobody reads any more */
function writeAtOnce(fd: number, text: string): Uint8Array {
  let rest = new TextEncoder().encode(text);
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(fd, rest));
    return rest;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return new Uint8Array();
    // Somebody else made it one that does not wait, and it is full.
    if (code === "EAGAIN") return rest;
    throw error;
  }
}
