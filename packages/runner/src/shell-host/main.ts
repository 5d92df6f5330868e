// A shell host: leads a process group of its own and runs scripts in it, one after the other, with Yarn's shell.
// Ending the group ends the script with everything it started.
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { existsSync } from "node:fs";
import { Socket } from "node:net";
import { npath } from "@yarnpkg/fslib";
import { execute } from "@yarnpkg/shell";
import type { RunReply, RunRequest } from "./protocol.js";

// First in line, before the shell's own handler: that one would pass the signal on to children that have it from
// the group already, and the shell would go on with the next command of the script.
process.on("SIGTERM", () => process.exit(143));

// Whoever started us is gone, even if by SIGKILL: nothing of our group may stay. A recorded host does not lead its group:
// the program that records it does.
process.on("disconnect", () => {
  process.kill(0, "SIGTERM");
});

// Yarn's shell reports a process that a signal ended as 129 whatever the signal; Node tells which it was.
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

async function run(request: RunRequest): Promise<RunReply> {
  const { fd, command, args, cwd, env } = request;
  const output = new Socket({ fd, readable: false, writable: true });
  output.on("error", () => undefined); // Nobody reads any more: the unit was given up.
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
  // Not `end`: that would shut the pipe down under a process which the script has left running.
  await new Promise<void>((resolve) => output.write("", () => resolve()));
  output.destroy();
  return { exitCode, signal };
}
