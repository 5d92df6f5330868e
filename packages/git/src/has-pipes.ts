import type { ChildProcess } from "node:child_process";
import { GitError } from "./git.js";

/**
 * Checks that a process has the pipes that were requested. If the system has no file descriptor left (EMFILE, ENFILE),
 * Node returns a process without pipes, and reports the reason later.
 * @param args git's arguments, for the error
 * @throws {GitError} if the process has no pipes
 */
export function assertPipes(
  child: Pick<ChildProcess, "stdout" | "on">,
  args: readonly string[],
): void {
  if (child.stdout) return;
  // Ignores Node's later report of the same error.
  child.on("error", () => undefined);
  throw new GitError(args, undefined, "too many open files");
}
