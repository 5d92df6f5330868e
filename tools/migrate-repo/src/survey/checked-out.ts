import type { Git } from "@skein/git";

/** Returns the branches that some working tree of the repository stands on, by their full names. */
export async function checkedOut(git: Git): Promise<ReadonlySet<string>> {
  const { stdout } = await git.run(["worktree", "list", "--porcelain", "-z"]);
  return new Set(
    stdout
      .toString("utf8")
      .split("\0")
      .flatMap((line) => /^branch (.+)$/.exec(line)?.slice(1) ?? []),
  );
}
