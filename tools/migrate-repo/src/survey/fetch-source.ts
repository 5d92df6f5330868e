import { GitError, openObjects } from "@skein/git";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { SourceError } from "./announcement.js";
import { fetchableAddress } from "./bundle.js";

export interface FetchRequest {
  readonly address: SourceAddress;
  readonly branches: readonly string[];
  /** Tag names; git fetches the objects that they need. */
  readonly tags: readonly string[];
  /** Whether git also fetches annotated tags of the fetched commits. Default: no. */
  readonly follow?: boolean;
  /**
   * The number of commits to fetch from each tip; default: all. Only for looking at a tip: a truncated history is never
   * migrated.
   */
  readonly depth?: number;
}

/** The prefix of fetched refs in the quarantine. Below it, they have their names in the source. */
export const SOURCE_REFS = "refs/source";

/**
 * Fetches branches and tags of a source into the quarantine, and checks the objects.
 * @returns the branches' commits; undefined if the source is a shallow clone
 * @throws {SourceError} if git can't reach the source or rejects an object
 */
export async function fetchSource(
  quarantine: Quarantine,
  { address, branches, tags, depth, follow = false }: FetchRequest,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { git } = quarantine;
  const specs = [
    ...branches.map(
      (name) => `+refs/heads/${name}:${SOURCE_REFS}/heads/${name}`,
    ),
    ...tags.map((name) => `+refs/tags/${name}:${SOURCE_REFS}/tags/${name}`),
  ];
  try {
    await fetchRefs(quarantine, address, specs, [
      ...(follow ? [] : ["--no-tags"]),
      ...(depth === undefined ? [] : [`--depth=${depth}`]),
    ]);
  } catch (error) {
    if (error instanceof SourceError && /shallow/i.test(error.gitMessage))
      return undefined;
    throw error;
  }
  const heads = `${SOURCE_REFS}/heads/`;
  // Use the fetched commits, not the announced ones: someone may have pushed in between.
  const { stdout } = await git.run([
    "for-each-ref",
    "--format=%(refname)%00%(objectname)",
    heads,
  ]);
  const fetched = new Map(
    stdout
      .toString("utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => line.slice(heads.length).split("\0") as [string, string]),
  );
  // Git warns about and skips refs that reach the end of a shallow source.
  return branches.some((name) => !fetched.has(name)) ? undefined : fetched;
}

/**
 * Clones a source into a quarantine that was opened for a clone. The clone has the first branch; a fetch adds the other
 * branches and the tags.
 * @returns the branches' commits; undefined if the source is a shallow clone
 * @throws {SourceError} if git can't reach the source or rejects an object
 */
export async function cloneSource(
  quarantine: Quarantine,
  branch: string,
  request: FetchRequest,
): Promise<ReadonlyMap<string, string> | undefined> {
  const { address, branches, tags, follow = false } = request;
  try {
    await quarantine.clone([
      "--reject-shallow",
      "--single-branch",
      `--branch=${branch}`,
      ...(follow ? [] : ["--no-tags"]),
      "--",
      await fetchableAddress(quarantine, address),
    ]);
  } catch (error) {
    const failure = sourceError(error, address);
    if (/shallow/i.test(failure.gitMessage)) return undefined;
    throw failure;
  }
  using objects = openObjects(quarantine.git);
  // Use the fetched commits, not the announced ones: someone may have pushed in between.
  const tip = await objects.read(`refs/heads/${branch}`);
  if (!tip) throw new Error(`git clone brought no ${branch}`);
  const first = [branch, tip.id] as const;
  if (branches.length + tags.length === 0) return new Map([first]);
  const others = await fetchSource(quarantine, request);
  return others && new Map([first, ...others]);
}

/** Converts an error of git to one about a source. @throws any other error */
function sourceError(error: unknown, { shown }: SourceAddress): SourceError {
  if (!(error instanceof GitError)) throw error;
  return new SourceError(shown, error.stderr.trim());
}

/**
 * Fetches refs into the quarantine, and checks the objects.
 * @param specs refspecs that we built ourselves
 * @throws {SourceError} if git can't reach the source or rejects an object
 */
export async function fetchRefs(
  quarantine: Quarantine,
  address: SourceAddress,
  specs: readonly string[],
  options: readonly string[] = ["--no-tags"],
): Promise<void> {
  try {
    // By standard input, because thousands of tags can exceed the limit of an argument list.
    const from = await fetchableAddress(quarantine, address);
    await quarantine.git.run(
      [
        "fetch",
        "--quiet",
        "--no-write-fetch-head",
        "--no-auto-maintenance",
        ...options,
        "--stdin",
        "--",
        from,
      ],
      { input: `${specs.join("\n")}\n` },
    );
  } catch (error) {
    throw sourceError(error, address);
  }
}
