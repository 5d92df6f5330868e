import { repositoryFailure } from "@skein/changes";
import { GitError, RepositoryError } from "@skein/git";
import { Failure, nearest, printable, usageFailure } from "@skein/reporting";
import { LockfileError } from "./lockfile/lockfile.js";
import { DuplicateWorkspaceError } from "./make-graph.js";
import { ManifestError } from "./manifest/manifest.js";
import { ProfilesError } from "./profiles.js";
import { SettingsError } from "./settings/readers.js";

/**
 * Runs a function and converts errors of git, of a workspace's files and of the system to failures with a message. Any
 * other error is a bug and stays unchanged.
 * @throws {Failure} instead of such an error
 */
export async function withTranslatedErrors<T>(
  body: () => Promise<T>,
): Promise<T> {
  try {
    return await body();
  } catch (error) {
    throw wordsFor(error) ?? error;
  }
}

function wordsFor(error: unknown): Failure | undefined {
  if (error instanceof RepositoryError) return repositoryFailure(error);
  if (error instanceof ManifestError) {
    return new Failure(`package.json cannot be read: ${error.detail}`, {
      place: { file: error.file, line: error.line },
      hint: "fix it; if only the base is broken, compare with a different base: --base REF",
    });
  }
  if (error instanceof LockfileError) {
    return new Failure(LOCKFILE[error.kind], {
      place: { file: "yarn.lock", line: error.line },
      hint: "run `yarn install`, which repairs it",
    });
  }
  if (error instanceof ProfilesError)
    return new Failure(
      '"workspaceProfiles" has a form that Skein does not support',
      {
        place: { file: ".yarnrc.yml", line: error.line },
        hint: "write it as plain nested keys, without anchors or braces",
      },
    );
  if (error instanceof DuplicateWorkspaceError) {
    return new Failure(
      `two workspaces are called ${printable(error.workspace)}: ${error.dirs.map(printable).join(" and ")}`,
      { hint: "give one of them another name" },
    );
  }
  if (error instanceof SettingsError) return settings(error);
  if (error instanceof GitError) {
    return new Failure(
      `git ${error.args[0] ?? ""} failed: ${error.stderr.trim()}`,
      { cause: error },
    );
  }
  const { code = "", message } = error as NodeJS.ErrnoException;
  if (code === "ERR_STRING_TOO_LONG" || code === "ERR_FS_FILE_TOO_LARGE")
    return new Failure(
      "a file of the workspace is too large to be read as text: Node reads at most 512 MiB",
      {
        hint: "find out which file grew: yarn.lock, package.json, .yarnrc.yml or skein.json",
        cause: error,
      },
    );
  if (REFUSALS.has(code))
    return new Failure(message.replace(`${code}: `, ""), { cause: error });
  return undefined;
}

/** The system's error codes for missing permissions and a full disk. (`runCli` reports too many open files.) */
const REFUSALS = new Set([
  "EACCES",
  "EPERM",
  "EROFS",
  "ENOSPC",
  "EDQUOT",
  "EIO",
]);

const LOCKFILE: Readonly<Record<LockfileError["kind"], string>> = {
  "yarn-1":
    "this is a lockfile of Yarn 1; Skein reads those of Yarn 2 and later",
  conflict: "yarn.lock has merge conflicts",
  syntax: "yarn.lock is not in Yarn's format",
};

function settings({ message, line, field, known }: SettingsError): Failure {
  const [near] = nearest(field.slice(field.lastIndexOf(".") + 1), known);
  const meant = near === undefined ? "" : `did you mean ${near}? `;
  return usageFailure(message, {
    place: { file: "skein.json", line },
    ...(known.length > 0 && {
      hint: `${meant}${field.includes(".") ? "allowed there" : "allowed at the top"}: ${known.join(", ")}`,
    }),
  });
}
