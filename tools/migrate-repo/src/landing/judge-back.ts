/** The state of one file that a landing has written, replaced or removed. */
export interface FileFacts {
  /** Its entry in the index before the landing, if any. */
  readonly old: string | undefined;
  /** Its entry in the index that the landing writes. */
  readonly new: string | undefined;
  /** Its entry in the current index. */
  readonly now: string | undefined;
  /** The file in the working tree: missing, as before, as the landing wrote it, or something else. */
  readonly file: "gone" | "old" | "new" | "other";
}

/** The action for a file when a landing is rolled back. */
export type Back =
  /** The file needs no change. */
  | "done"
  /** The file is removed: the landing wrote it. */
  | "remove"
  /** The file from before the landing is restored. */
  | "restore"
  /** The file stays: the user has staged or committed it. */
  | "taken-over"
  /** The file stays: the user has changed it since. */
  | "edited";

/**
 * Decides what happens to a file when a landing is rolled back. A file is removed or replaced only if it is byte for
 * byte what the landing wrote, and its entry in the index is as before or as the landing wrote it.
 * @param indexIsOurs whether the landing has written the index
 */
export function judgeBack(facts: FileFacts, indexIsOurs: boolean): Back {
  const { old, new: after, now, file } = facts;
  const isOurs = now === old || (indexIsOurs && now === after);
  switch (file) {
    case "old":
      return "done";
    case "gone":
      return old === undefined || !isOurs ? "done" : "restore";
    case "new":
      if (!isOurs) return "taken-over";
      return old === undefined ? "remove" : "restore";
    case "other":
      return isOurs ? "edited" : "taken-over";
  }
}
