import type { CliWorld, Out } from "./run-cli.js";

/**
 * What a tool knows of the process it runs in. The first Ctrl-C or SIGTERM aborts `signal`; a second one ends the
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
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    // Opening it takes 3 ms, and hardly anybody reads it.
    stdin: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
    },
    stdout: opened(() => process.stdout),
    stderr: opened(() => process.stderr),
    now,
    signal: stop.signal,
  };
}

/** A stream that is opened when it is used first: what it takes to load is then waited for beside git, or never. */
function opened(open: () => NodeJS.WriteStream): Out {
  let stream: NodeJS.WriteStream | undefined;
  const use = () => {
    if (stream) return stream;
    stream = open();
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
    return stream;
  };
  return {
    write: (text) => use().write(text),
    get isTTY() {
      return use().isTTY;
    },
    get columns() {
      return use().columns;
    },
  };
}
