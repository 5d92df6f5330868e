import {
  COMPARISON_FILES_CAP,
  unlessNotFound,
  showRepository,
} from "@skein/github";
import type { Comparison, GitHub, RepositoryName } from "@skein/github";
import type { Changeset, Unknown } from "./changeset.js";
import { changesOfFiles, reversed } from "./github-files.js";

/** A changeset without its source. */
export type Range = Omit<Changeset, "source">;

export interface CompareRequest {
  readonly github: GitHub;
  readonly repository: RepositoryName;
  /** Full commit ids. */
  readonly base: { readonly name: string; readonly commit: string };
  readonly head: { readonly name: string; readonly commit: string };
  /**
   * `merge-base`: changes of head since the branches diverged. `direct`: all differences, including changes that only
   * base has.
   */
  readonly how: "merge-base" | "direct";
}

/**
 * Lists the changes between two commits, with GitHub's comparison only. GitHub always compares from the merge base. So
 * a direct comparison of diverged commits consists of both halves, which may include too much but never too little. A
 * list of 300 files or more may be truncated, and is then reported as `list-cut`.
 * @returns undefined if GitHub doesn't have one of the commits, or they have no common history
 * @throws {GitHubError}
 */
export async function compareOnGitHub(
  request: CompareRequest,
): Promise<Range | undefined> {
  const { github, repository, base, head, how } = request;
  const ask = (one: string, other: string) =>
    unlessNotFound(github.compare(repository, one, other));
  const there = await ask(base.commit, head.commit);
  if (!there) return undefined;
  const parted = how === "direct" && there.mergeBase !== base.commit;
  const back = parted ? await ask(head.commit, base.commit) : undefined;
  if (parted && !back) return undefined;
  const halves = back ? [there, back] : [there];
  const name = showRepository(repository);
  return {
    base:
      how === "direct" ? base : { name: base.name, commit: there.mergeBase },
    head,
    changes: [
      ...changesOfFiles(there.files).changes,
      ...(back ? reversed(changesOfFiles(back.files).changes) : []),
    ],
    unknown: halves.flatMap((half) => doubtsAbout(half, name)),
  };
}

function doubtsAbout(
  { files, mayBeCut }: Comparison,
  repository: string,
): Unknown[] {
  const { withoutOldPath } = changesOfFiles(files);
  const cut = (detail: string): Unknown => ({
    kind: "list-cut",
    listed: files.length,
    expected: undefined,
    detail,
  });
  return [
    ...(mayBeCut
      ? [
          cut(
            `GitHub lists at most ${COMPARISON_FILES_CAP} files of a comparison in ${repository}, and it listed ${files.length}`,
          ),
        ]
      : []),
    ...movedFromNowhere(withoutOldPath).map(cut),
  ];
}

/** Returns messages for renamed files whose old path GitHub does not report. */
export function movedFromNowhere(paths: readonly string[]): string[] {
  return paths.map(
    (path) =>
      `GitHub reports that ${JSON.stringify(path)} was renamed, but not from which path`,
  );
}
