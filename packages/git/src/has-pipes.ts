import type { ChildProcess } from "node:child_process";
import { GitError } from "./git.js";

/**
 * Checks that a process has the pipes that were asked for. Where the system has no file descriptor left (EMFILE,
 * ENFILE), Node hands out a process without any, and reports the reason afterwards.
 * @param args what git was asked, for the error
 * @throws {GitError} where it has none
 */
export function assertPipes(
  child: Pick<ChildProcess, "stdout" | "on">,
  args: readonly string[],
): void {
  if (child.stdout) return;
  // The same is reported once more, to nobody.
  child.on("error", () => undefined);
  throw new GitError(args, undefined, "too many open files");
}
