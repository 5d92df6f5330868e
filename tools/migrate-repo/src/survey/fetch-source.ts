import { access } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "@skein/git";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine.js";
import { SourceError } from "./announcement.js";

export interface FetchRequest {
  readonly address: SourceAddress;
  readonly branches: readonly string[];
  /** Tag names; git brings what they need. */
  readonly tags: readonly string[];
  /** Commits from each tip; default: all of them. Only to look at a tip: what is cut off is never migrated. */
  readonly depth?: number;
}

/** Where the quarantine keeps what was fetched, under the names the source has. */
export const SOURCE_REFS = "refs/source";

/**
 * Fetches branches and tags of a source into the quarantine, objects checked.
 * @returns whether the source is whole; false: it is a shallow clone
 * @throws {SourceError} when git cannot reach it or refuses an object
 */
export async function fetchSource(
  quarantine: Quarantine,
  { address, branches, tags, depth }: FetchRequest,
): Promise<boolean> {
  const { git, dir } = quarantine;
  const specs = [
    ...branches.map(
      (name) => `+refs/heads/${name}:${SOURCE_REFS}/heads/${name}`,
    ),
    ...tags.map((name) => `+refs/tags/${name}:${SOURCE_REFS}/tags/${name}`),
  ];
  try {
    await fetchRefs(
      quarantine,
      address,
      specs,
      depth === undefined ? [] : [`--depth=${depth}`],
    );
  } catch (error) {
    if (error instanceof SourceError && /shallow/i.test(error.said))
      return false;
    throw error;
  }
  // Git leaves out, with a warning, refs that lead to where a shallow source ends.
  const missing = await git.run(
    [
      "rev-parse",
      "--verify",
      "--quiet",
      "--end-of-options",
      `${SOURCE_REFS}/heads/${branches[0] ?? ""}`,
    ],
    { answers: [0, 1, 128] },
  );
  const shallow = await access(join(dir, "shallow")).then(
    () => true,
    () => false,
  );
  return missing.exitCode === 0 && !shallow;
}

/**
 * Fetches refs into the quarantine, objects checked.
 * @param specs refspecs of our own making
 * @throws {SourceError} when git cannot reach the source or refuses an object
 */
export async function fetchRefs(
  { git }: Quarantine,
  address: SourceAddress,
  specs: readonly string[],
  options: readonly string[] = [],
): Promise<void> {
  try {
    // By standard input, because thousands of tags are longer than an argument list may be.
    await git.run(
      [
        "fetch",
        "--quiet",
        "--no-tags",
        "--no-write-fetch-head",
        "--no-auto-maintenance",
        ...options,
        "--stdin",
        "--",
        address.fetchFrom,
      ],
      { input: `${specs.join("\n")}\n` },
    );
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new SourceError(address.shown, error.stderr.trim());
  }
}
