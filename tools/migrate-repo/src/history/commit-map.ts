import type { MappedCommit } from "../migration.js";

/** Old commit id -> new commit id. Reads and writes the text kept in `refs/migrate/<name>/map`. */
export interface CommitMap {
  readonly commits: readonly MappedCommit[];
  /** The new commit; undefined if the commit is unknown, or nothing of it came along. */
  get(old: string): string | undefined;
  has(old: string): boolean;
}

export function commitMap(commits: readonly MappedCommit[]): CommitMap {
  const byOld = new Map(commits.map((commit) => [commit.old, commit.new]));
  return {
    commits,
    get: (old) => byOld.get(old),
    has: (old) => byOld.has(old),
  };
}

/** One line a commit, parents first: `<old> <new>`, or `<old> -` where nothing came along. */
export function printCommitMap(commits: readonly MappedCommit[]): string {
  return commits.map(({ old, new: id }) => `${old} ${id ?? "-"}\n`).join("");
}

/** @throws when a line is neither a pair of ids nor an id and `-` */
export function parseCommitMap(text: string): readonly MappedCommit[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const match = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64}|-)$/.exec(line);
      if (!match) throw new Error(`not a line of a commit map: ${line}`);
      return {
        old: match[1] ?? "",
        new: match[2] === "-" ? undefined : match[2],
      };
    });
}
