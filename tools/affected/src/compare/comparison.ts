/** Who is compared with: another tool, or the yardstick that manifests and yarn.lock give. */
export const yardsticks = ["manifests", "turbo", "nx"] as const;
export type YardstickName = (typeof yardsticks)[number];

/** What one side selects for one commit. Packages are named as at the commit; the root is never among them. */
export interface Answer {
  /** In order of name. */
  readonly packages: readonly string[];
  /** How long the side took, in milliseconds. */
  readonly ms: number;
}

/** One commit of the history. */
export interface Commit {
  readonly commit: string;
  /** The first parent, which the commit is compared with. */
  readonly parent: string;
  readonly subject: string;
}

/** A commit that both sides answered for. */
export interface ComparedCommit extends Commit {
  readonly kind: "compared";
  /** How many packages the project has at this commit, the root left out. */
  readonly packages: number;
  readonly ours: Answer & {
    /** Why we select everything, in words; empty where we don't. */
    readonly everything: readonly string[];
  };
  readonly theirs: Answer & {
    /** Names that the other side selects and that no package of the project has. */
    readonly unmatched: readonly string[];
  };
}

/** A commit that one of the sides could not answer for. It counts in no figure. */
export interface FailedCommit extends Commit {
  readonly kind: "failed";
  /** Why, as one sentence. */
  readonly failure: string;
}

export type JudgedCommit = ComparedCommit | FailedCommit;

/** Where the two sides differ on one commit. */
export interface Difference {
  /** Packages that only the other side selects. */
  readonly misses: readonly string[];
  /** Packages that only we select. */
  readonly extras: readonly string[];
}

/** Returns the packages of each side that the other doesn't select, in order of name. */
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

/** One side over all commits. */
export interface SideSummary {
  /** Packages per commit, as a mean. */
  readonly mean: number;
  /** Commits for which every package but the root is selected. */
  readonly everything: number;
  /** Milliseconds over all commits. */
  readonly ms: number;
}

/** Both sides over all commits. */
export interface Summary {
  readonly compared: number;
  readonly failed: number;
  readonly ours: SideSummary;
  readonly theirs: SideSummary;
  /** Our mean divided by the other side's; undefined where the other side selects nothing at all. */
  readonly ratio: number | undefined;
  readonly misses: Count;
  readonly extras: Count;
}

interface Count {
  /** Commits with at least one. */
  readonly commits: number;
  /** Packages over all commits. */
  readonly packages: number;
}

/** Returns means, counts and times over the commits that both sides answered for. */
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
