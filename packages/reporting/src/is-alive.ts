/** Returns whether a process of this machine runs. @param node sends signals */
export function isAlive(
  node: { readonly kill: (pid: number, signal: 0) => unknown },
  pid: number,
): boolean {
  try {
    node.kill(pid, 0);
    return true;
  } catch (error) {
    // The process runs, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
