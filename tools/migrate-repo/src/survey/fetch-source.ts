import { access } from "node:fs/promises";
import { join } from "node:path";
import { GitError, openObjects } from "@skein/git";
import type { SourceAddress } from "../migration.js";
import type { Quarantine } from "../quarantine/quarantine.js";
import { SourceError } from "./announcement.js";
import { fetchableAddress } from "./bundle.js";

export interface FetchRequest {
  readonly address: SourceAddress;
  readonly branches: readonly string[];
  /** Tag names; git brings what they need. */
  readonly tags: readonly string[];
  /** Whether annotated tags of what is fetched come along by themselves. Default: no. */
  readonly follow?: boolean;
  /** Commits from each tip; default: all of them. Only to look at a tip: what is cut off is never migrated. */
  readonly depth?: number;
}

/** Where the quarantine keeps what was fetched, under the names the source has. */
export const SOURCE_REFS = "refs/source";

/**
 * Fetches branches and tags of a source into the quarantine, objects checked.
 * @returns the branches' commits; undefined: the source is a shallow clone
 * @throws {SourceError} when git cannot reach it or refuses an object
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
    if (error instanceof SourceError && /shallow/i.test(error.said))
      return undefined;
    throw error;
  }
  const heads = `${SOURCE_REFS}/heads/`;
  // The fetched commits count, not the announced ones: somebody may have pushed in between.
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
  // Git leaves out, with a warning, refs that lead to where a shallow source ends.
  return (await isShallow(quarantine)) ||
    branches.some((name) => !fetched.has(name))
    ? undefined
    : fetched;
}

/**
 * Brings branches and tags of a source into a quarantine that was opened for a clone: the first branch by that, what else
 * there is by a fetch.
 * @returns the branches' commits; undefined: the source is a shallow clone
 * @throws {SourceError} when git cannot reach it or refuses an object
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
    if (/shallow/i.test(failure.said)) return undefined;
    throw failure;
  }
  if (await isShallow(quarantine)) return undefined;
  const objects = openObjects(quarantine.git);
  try {
    // The fetched commits count, not the announced ones: somebody may have pushed in between.
    const tip = await objects.read(`refs/heads/${branch}`);
    if (!tip) throw new Error(`git clone brought no ${branch}`);
    const first = [branch, tip.id] as const;
    if (branches.length + tags.length === 0) return new Map([first]);
    const others = await fetchSource(quarantine, request);
    return others && new Map([first, ...others]);
  } finally {
    objects.close();
  }
}

async function isShallow({ dir }: Quarantine): Promise<boolean> {
  return access(join(dir, "shallow")).then(
    () => true,
    () => false,
  );
}

/** Git's words about a source. @throws an error that is none of git's */
function sourceError(error: unknown, { shown }: SourceAddress): SourceError {
  if (!(error instanceof GitError)) throw error;
  return new SourceError(shown, error.stderr.trim());
}

/**
 * Fetches refs into the quarantine, objects checked.
 * @param specs refspecs of our own making
 * @throws {SourceError} when git cannot reach the source or refuses an object
 */
export async function fetchRefs(
  quarantine: Quarantine,
  address: SourceAddress,
  specs: readonly string[],
  options: readonly string[] = ["--no-tags"],
): Promise<void> {
  try {
    // By standard input, because thousands of tags are longer than an argument list may be.
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
