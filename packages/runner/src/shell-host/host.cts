// A shell host: leads its own process group, and runs scripts in it one after the other with Yarn's shell. Ending the
// group ends the script with everything that it started.
import type { ChildProcess } from "node:child_process";
import type * as Fslib from "@yarnpkg/fslib";
import type * as Shell from "@yarnpkg/shell";
import type { RunReply, RunRequest } from "./protocol.js" with {
  "resolution-mode": "import",
};

// This file is CommonJS, as Yarn's packages are: if a module imported them, Node would read all of their files twice, to find
// the exports first. Published, it is one file with these packages (decision 114).
const { npath } = require("@yarnpkg/fslib") as typeof Fslib;
const { execute } = require("@yarnpkg/shell") as typeof Shell;

const { subscribe } = process.getBuiltinModule("node:diagnostics_channel");
const { existsSync } = process.getBuiltinModule("node:fs");
const { Socket } = process.getBuiltinModule("node:net");

// This handler must come before the shell's own. That one would forward the signal to children that already got it from
// the group, and the shell would continue with the next command of the script.
process.on("SIGTERM", () => process.exit(143));

// Our parent has ended, perhaps by SIGKILL, so no process of our group may stay. A recorded host doesn't lead its
// group: the recording program does.
process.on("disconnect", () => {
  process.kill(0, "SIGTERM");
});

// Yarn's shell reports 129 for a process that any signal ended. Node reports which signal it was.
let signal: string | null = null;
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  child.on("exit", (_code, by) => (signal = by));
});

process.on("message", (request: RunRequest) => {
  void run(request).then((reply) =>
    process.send?.(reply, () => {
      // The recording ends when its last process does.
      if (request.marker !== undefined) process.exit(0);
    }),
  );
});

/** After a short run, load-compiled.cjs keeps the compiled code of the packed host. */
module.exports = { isWorth: () => true };

async function run(request: RunRequest): Promise<RunReply> {
  const { fd, command, args, cwd, env } = request;
  const output = new Socket({ fd, readable: false, writable: true });
  output.on("error", () => undefined); // The reader is gone, because the unit was aborted.
  signal = null;
  if (request.marker !== undefined) existsSync(request.marker);
  let exitCode: number;
  try {
    exitCode = await execute(command, [...args], {
      cwd: npath.toPortablePath(cwd),
      env,
      stdin: null,
      stdout: output,
      stderr: output,
    });
  } catch (error) {
    output.write(`${error instanceof Error ? error.message : String(error)}\n`);
    exitCode = 1;
  }
  // `end` would shut the pipe down for a process that the script has left running.
  await new Promise<void>((resolve) => output.write("", () => resolve()));
  output.destroy();
  return { exitCode, signal };
}
