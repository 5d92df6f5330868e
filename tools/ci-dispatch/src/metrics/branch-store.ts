import { join } from "node:path";
import type { Git } from "@skein/git";
import { askForTip, blob, updateBranch } from "../history/branch.js";
import type { HistoryBranch, Tip, UpdateOptions } from "../history/branch.js";
import type { EventStore, StoredFiles } from "@skein/metrics-store";

/**
 * Opens a store on a branch of a remote. It uses only git's plumbing commands.
 * @param gitDir the repository's own folder; events that wait to be pushed are stored below it
 */
export function branchStore(
  git: Git,
  gitDir: string,
  branch: HistoryBranch,
  options: Omit<UpdateOptions, "message">,
): EventStore {
  const name = branch.ref.replace("refs/heads/", "");
  return {
    place: `${name} of ${branch.remote}`,
    journal: join(
      gitDir,
      "skein",
      `delivery-${encodeURIComponent(name)}.journal`,
    ),
    files: async () => filesOf(git, await askForTip(git, branch)),
    async update(change, message) {
      await updateBranch(git, branch, (tip) => change(filesOf(git, tip)), {
        ...options,
        message,
      });
    },
  };
}

/** Returns the files of the branch at one point in time. */
export function filesOf(git: Git, { files }: Tip): StoredFiles {
  return {
    names: [...files.keys()],
    read: async (name) => {
      const id = files.get(name);
      return id === undefined ? undefined : blob(git, id);
    },
  };
}
