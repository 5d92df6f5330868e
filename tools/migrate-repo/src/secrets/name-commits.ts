import { splitStream, streamGit, type Git } from "@skein/git";
import type { Found } from "./find-forms.js";
import type { SecretFound } from "./secret-found.js";

/** A credential in one version of a file. */
export type FoundInFile = Found & {
  readonly path: string;
  readonly blob: string;
};

/** The most paths in one git command, because argument lists are limited. */
const MOST_PATHS = 500;

/**
 * Finds the first commit with each credential. A credential that stays in a file through many versions is one finding.
 * @param wanted revisions, one on each line, as for `git rev-list --stdin`
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
  /** Its position among all of them, oldest first. */
  readonly order: number;
}

/** Returns the oldest commit with each version of these files. */
async function firstCommits(
  git: Git,
  wanted: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Made>> {
  // These commands are plumbing, so the user's settings don't affect them. Paths are literal: every git has
  // GIT_LITERAL_PATHSPECS.
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
