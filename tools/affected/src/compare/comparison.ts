/** The other side of a comparison: another tool, or the yardstick of manifests and yarn.lock. */
export const yardsticks = ["manifests", "turbo", "nx"] as const;
export type YardstickName = (typeof yardsticks)[number];

/**
 * The packages that one side selects for one commit. They have their names at that commit, and never include the root.
 */
export interface Answer {
  /** Sorted by name. */
  readonly packages: readonly string[];
  /** The time that the side took, in milliseconds. */
  readonly ms: number;
}

/** A commit of the history. */
export interface Commit {
  readonly commit: string;
  /** The first parent, which is the base of the comparison. */
  readonly parent: string;
  readonly subject: string;
}

/** A commit for which both sides have an answer. */
export interface ComparedCommit extends Commit {
  readonly kind: "compared";
  /** The number of packages in the project at this commit, without the root. */
  readonly packages: number;
  readonly ours: Answer & {
    /** Why we select everything, as text; empty if we don't. */
    readonly everything: readonly string[];
  };
  readonly theirs: Answer & {
    /** Names that the other side selects, but that no package of the project has. */
    readonly unmatched: readonly string[];
  };
}

/** A commit for which one of the sides has no answer. It doesn't count in any figure. */
export interface FailedCommit extends Commit {
  readonly kind: "failed";
  /** The reason, as one sentence. */
  readonly failure: string;
}

export type JudgedCommit = ComparedCommit | FailedCommit;

/** The difference between the two sides for one commit. */
export interface Difference {
  /** Packages that only the other side selects. */
  readonly misses: readonly string[];
  /** Packages that only we select. */
  readonly extras: readonly string[];
}

/** Returns the packages of each side that the other side doesn't select, sorted by name. */
export function differenceOf({
  ours,
  theirs,
}: Pick<ComparedCommit, "ours" | "theirs">): Difference {
  const [we, they] = [new Set(ours.packages), new Set(theirs.packages)];
  return {
    misses: theirs.packages.filter((name) => !we.has(name)),
    extras: ours.packages.filter((name) => !they.has(name)),
  };
}

/** The figures of one side over all commits. */
export interface SideSummary {
  /** The mean number of packages per commit. */
  readonly mean: number;
  /** The number of commits for which every package except the root is selected. */
  readonly everything: number;
  /** The sum over all commits, in milliseconds. */
  readonly ms: number;
}

/** The figures of both sides over all commits. */
export interface Summary {
  readonly compared: number;
  readonly failed: number;
  readonly ours: SideSummary;
  readonly theirs: SideSummary;
  /** Our mean divided by the other side's; undefined if the other side selects nothing at all. */
  readonly ratio: number | undefined;
  readonly misses: Count;
  readonly extras: Count;
}

interface Count {
  /** The number of commits with at least one such package. */
  readonly commits: number;
  /** The number of packages, summed over all commits. */
  readonly packages: number;
}

/** Returns means, counts and times over the commits for which both sides have an answer. */
export function summarize(judged: readonly JudgedCommit[]): Summary {
  const commits = judged.filter((each) => each.kind === "compared");
  const side = (answerOf: (commit: ComparedCommit) => Answer): SideSummary => ({
    mean:
      sum(commits.map((each) => answerOf(each).packages.length)) /
      Math.max(1, commits.length),
    everything: commits.filter(
      (each) =>
        each.packages > 0 && answerOf(each).packages.length >= each.packages,
    ).length,
    ms: sum(commits.map((each) => answerOf(each).ms)),
  });
  const differences = commits.map(differenceOf);
  const count = (of: keyof Difference): Count => ({
    commits: differences.filter((each) => each[of].length > 0).length,
    packages: sum(differences.map((each) => each[of].length)),
  });
  const [ours, theirs] = [
    side((each) => each.ours),
    side((each) => each.theirs),
  ];
  return {
    compared: commits.length,
    failed: judged.length - commits.length,
    ours,
    theirs,
    ratio: theirs.mean === 0 ? undefined : ours.mean / theirs.mean,
    misses: count("misses"),
    extras: count("extras"),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
