import { isPartialClone } from "@skein/git";
import type { Git } from "@skein/git";

/**
 * The blobs of a tree that git does not have here: those that a partial clone left out. Only such a clone is asked,
 * others cost one `git config`; nothing is fetched.
 */
export async function absentBlobs(
  git: Git,
  tree: string,
): Promise<ReadonlySet<string>> {
  if (!(await isPartialClone(git))) return new Set();
  const { stdout } = await git.run([
    "rev-list",
    "--objects",
    "--no-object-names",
    "--missing=print",
    "--end-of-options",
    tree,
  ]);
  const absent = new Set<string>();
  for (const line of stdout.toString("latin1").split("\n"))
    if (line.startsWith("?")) absent.add(line.slice(1));
  return absent;
}
