/**
 * Messages of `git fsck` that old, healthy histories are full of; all others refuse a fetch. None of them lets a path
 * or a link out of the package. (Names and default levels: git-fsck(1), "FSCK MESSAGES".)
 */
export const TOLERATED_BY_FSCK = [
  "badDate", // A `<` too many before it.
  "badDateOverflow", // A clock that was wrong.
  "badEmail", // `<` in a name: importers from CVS and Subversion wrote it.
  "badTimezone", // +051800 and the like, from old GitHub and Perl clients.
  "missingEmail",
  "missingNameBeforeEmail",
  "missingSpaceBeforeDate",
  "missingSpaceBeforeEmail",
  "missingTaggerEntry", // Tags of git before 2005.
  "zeroPaddedDate",
  "zeroPaddedFilemode", // Trees written by early GitHub.
] as const;

/** Only warned of by default, but each is a way to write outside the package or into a `.git` folder. */
const REFUSED_BY_FSCK = ["hasDot", "hasDotdot", "hasDotgit", "fullPathname"];

/** Returns git's settings in the quarantine, which overrule the user's files. */
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
    // Packs are moved to the target as they are; loose objects would be moved one by one.
    "fetch.unpackLimit": "1",
    "fastimport.unpackLimit": "1",
    "fetch.writeCommitGraph": "false",
    "merge.directoryRenames": "false",
  };
}
