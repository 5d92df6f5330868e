/**
 * Messages of `git fsck` that are common in old, healthy histories; any other message refuses a fetch. None of them
 * lets a path or a link leave the package. (Names and default levels: git-fsck(1), "FSCK MESSAGES".)
 */
export const TOLERATED_BY_FSCK = [
  "badDate", // An extra `<` before it.
  "badDateOverflow", // The clock was wrong.
  "badEmail", // `<` in a name, from importers of CVS and Subversion.
  "badTimezone", // +051800 and similar, from old GitHub and Perl clients.
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "missingTaggerEntry", // Tags from git before 2005.
  "zeroPaddedDate",
  "zeroPaddedFilemode", // Trees written by early GitHub.
] as const;

/** By default git only warns about these, but each is a way to write outside the package or into a `.git` folder. */
const REFUSED_BY_FSCK = ["hasDot", "hasDotdot", "hasDotgit", "fullPathname"];

/** Returns git's settings in the quarantine, which override the user's files. */
export function settings(): Record<string, string> {
  return {
    "core.hooksPath": "/dev/null",
    "core.fsmonitor": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "fetch.recurseSubmodules": "false",
    "fetch.fsckObjects": "true",
    ...Object.fromEntries(
      TOLERATED_BY_FSCK.map((id) => [`fetch.fsck.${id}`, "ignore"]),
    ),
    ...Object.fromEntries(
      REFUSED_BY_FSCK.map((id) => [`fetch.fsck.${id}`, "error"]),
    ),
    // Packs are moved to the target as a whole; loose objects would be moved one by one.
    "fetch.unpackLimit": "1",
    "fastimport.unpackLimit": "1",
    "fetch.writeCommitGraph": "false",
    "merge.directoryRenames": "false",
  };
}
