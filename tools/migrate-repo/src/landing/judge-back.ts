/** What is known of one file that a landing has written, replaced or removed. */
export interface FileFacts {
  /** Its entry in the index before the landing; undefined: none. */
  readonly old: string | undefined;
  /** Its entry in the index that the landing writes. */
  readonly new: string | undefined;
  /** Its entry in the index as it is. */
  readonly now: string | undefined;
  /** What lies in the working tree: nothing, what was there, what the landing wrote, or something else. */
  readonly file: "gone" | "old" | "new" | "other";
}

/** The fate of a file when a landing is taken back. */
export type Back =
  /** There is nothing to do. */
  | "done"
  /** It goes: the landing wrote it. */
  | "remove"
  /** The file from before comes back. */
  | "restore"
  /** It stays: the user has staged or committed it. */
  | "taken-over"
  /** It stays: the user has changed it since. */
  | "edited";

/**
 * Decides what becomes of a file when a landing is taken back. Only what is byte for byte what the landing wrote is taken
 * away, and only while the index holds it as it was before, or as the landing wrote it.
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
