import { splitNul, type Git } from "@skein/git";

/** Returns the full names of the branches that are checked out in some working tree of the repository. */
export async function checkedOut(git: Git): Promise<ReadonlySet<string>> {
  const { stdout } = await git.run(["worktree", "list", "--porcelain", "-z"]);
  return new Set(
    splitNul(stdout).flatMap(
      (line) => /^branch (.+)$/.exec(line)?.slice(1) ?? [],
    ),
  );
}
