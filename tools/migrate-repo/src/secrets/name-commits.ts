import { splitStream, streamGit, type Git } from "@skein/git";
import type { Found } from "./find-forms.js";
import type { SecretFound } from "./secret-found.js";

/** A credential in one version of a file. */
export type FoundInFile = Found & {
  readonly path: string;
  readonly blob: string;
};

/** Paths that git is asked about at once: an argument list is bounded. */
const MOST_PATHS = 500;

/**
 * Names the first commit that has each credential. One that stays in a file through many versions is one finding.
 * @param wanted revisions, one a line, as `git rev-list --stdin` takes them
 * @throws {GitError}
 */
export async function nameCommits(
  git: Git,
  wanted: string,
  found: readonly FoundInFile[],
): Promise<readonly SecretFound[]> {
  if (found.length === 0) return [];
  const paths = [...new Set(found.map(({ path }) => path))];
  const made = await firstCommits(git, wanted, paths.slice(0, MOST_PATHS));
  const oldest = new Map<string, FoundInFile>();
  const orderOf = ({ blob }: FoundInFile) => made.get(blob)?.order ?? Infinity;
  for (const one of found) {
    const other = oldest.get(keyOf(one));
    if (!other || orderOf(one) < orderOf(other)) oldest.set(keyOf(one), one);
  }
  return [...oldest.values()].map(({ kind, line, path, blob }) => ({
    kind,
    line,
    path,
    commit: made.get(blob)?.id,
  }));
}

const keyOf = ({ path, kind, value }: FoundInFile) =>
  [path, kind, value].join("\0");

interface Made {
  readonly id: string;
  /** Its place among all, oldest first. */
  readonly order: number;
}

/** Returns the oldest commit that brings each version of these files. */
async function firstCommits(
  git: Git,
  wanted: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Made>> {
  // Plumbing, which no setting of the user changes. Paths are literal: GIT_LITERAL_PATHSPECS is set for every git.
  const list = streamGit(git, [
    ...["rev-list", "--topo-order", "--reverse", "--full-history", "--stdin"],
    ...["--", ...paths],
  ]);
  const log = streamGit(git, [
    ...["diff-tree", "--stdin", "-r", "-m", "--root", "--raw", "--no-abbrev"],
    ...["--no-renames", "--", ...paths],
  ]);
  list.stdin.end(wanted);
  list.stdout.pipe(log.stdin);
  const made = new Map<string, Made>();
  let id = "";
  for await (const line of splitStream(log.stdout, 10)) {
    const [, blob] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\t/.exec(line) ?? [];
    if (blob === undefined) {
      id = line;
    } else if (!made.has(blob)) made.set(blob, { id, order: made.size });
  }
  await Promise.all([list.done, log.done]);
  return made;
}
