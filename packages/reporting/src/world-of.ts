import type { CliWorld } from "./run-cli.js";

/**
 * What a tool knows of the process it runs in. The first Ctrl-C or SIGTERM aborts `signal`; a second one ends the
 * process as ever.
 *
 * A reader that goes away (`… | head`) ends nothing: what it does not read is dropped, the work is done, and the exit
 * code tells how it went.
 * @param process Node's own; its stdin is not opened before it is read
 * @param now milliseconds since 1970
 */
export function worldOf(process: NodeJS.Process, now: () => number): CliWorld {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stop.abort(signal));
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  return {
    argv: process.argv.slice(2),
    env: process.env,
    cwd: process.cwd(),
    // Opening it takes 3 ms, and hardly anybody reads it.
    stdin: {
      [Symbol.asyncIterator]: () => process.stdin[Symbol.asyncIterator](),
    },
    stdout: process.stdout,
    stderr: process.stderr,
    now,
    signal: stop.signal,
  };
}
