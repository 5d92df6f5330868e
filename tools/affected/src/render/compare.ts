import { count, formatDuration, renderTable, some } from "@skein/reporting";
import type { TableOptions } from "@skein/reporting";
import { differenceOf, summarize } from "../compare/comparison.js";
import type {
  ComparedCommit,
  JudgedCommit,
  SideSummary,
  YardstickName,
} from "../compare/comparison.js";

/** The result of a comparison. */
export interface Comparison {
  readonly peer: {
    readonly name: YardstickName;
    readonly version: string | undefined;
  };
  readonly script: string | undefined;
  /** Newest commit first. */
  readonly judged: readonly JudgedCommit[];
}

/** Returns the whole comparison in the form of schemas/compare.schema.json. */
export function comparisonJson({ peer, script, judged }: Comparison): string {
  const { compared, failed, ours, theirs, ratio, misses, extras } =
    summarize(judged);
  const document = {
    version: 1,
    with: { name: peer.name, version: peer.version ?? null },
    script: script ?? null,
    summary: {
      compared,
      failed,
      ours: rounded(ours),
      theirs: rounded(theirs),
      ratio: ratio === undefined ? null : round(ratio),
      misses,
      extras,
    },
    commits: judged.map((each) =>
      each.kind === "failed" ? each : { ...each, ...differenceOf(each) },
    ),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function rounded({ mean, ...rest }: SideSummary): SideSummary {
  return { mean: round(mean), ...rest };
}

/** Rounds to hundredths: a mean over some dozens of commits isn't more exact. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Returns a table with a row per commit, then the names that we miss, the commits that failed, and the sums. */
export function renderComparison(
  { peer: { name }, judged }: Comparison,
  options: TableOptions,
): string {
  const compared = judged.filter((each) => each.kind === "compared");
  const failed = judged.filter((each) => each.kind === "failed");
  const table = renderTable(
    [
      { title: "commit" },
      { title: "packages", align: "right" },
      { title: "affected", align: "right" },
      { title: name, align: "right" },
      { title: "misses", align: "right" },
      { title: "extras", align: "right" },
      { title: "subject", shrinks: true },
    ],
    compared.map(rowOf),
    options,
  );
  return [
    compared.length > 0 ? table : "",
    ...compared.flatMap(missedWords),
    ...failed.map(
      ({ commit, failure }) =>
        `not compared: ${commit.slice(0, 10)}: ${failure}\n`,
    ),
    "\n",
    ...sumWords(name, judged),
  ].join("");
}

function rowOf(commit: ComparedCommit): string[] {
  const { ours, theirs, packages, subject } = commit;
  const { misses, extras } = differenceOf(commit);
  return [
    commit.commit.slice(0, 10),
    ...[packages, ours.packages.length, theirs.packages.length].map(String),
    ...[misses, extras].map((names) =>
      names.length === 0 ? "" : String(names.length),
    ),
    subject,
  ];
}

function missedWords(commit: ComparedCommit): string[] {
  const { misses } = differenceOf(commit);
  const { unmatched } = commit.theirs;
  const id = commit.commit.slice(0, 10);
  return [
    ...(misses.length > 0 ? [`missed in ${id}: ${some(misses, MOST)}\n`] : []),
    ...(unmatched.length > 0
      ? [`not packages of this project, in ${id}: ${some(unmatched, MOST)}\n`]
      : []),
  ];
}

/** The maximum number of names that are printed per commit; --json prints all. */
const MOST = 8;

function sumWords(name: YardstickName, judged: readonly JudgedCommit[]) {
  const { compared, failed, ours, theirs, ratio, misses, extras } =
    summarize(judged);
  const times =
    ratio === undefined ? "" : ` (${ratio.toFixed(2)} times as many)`;
  const each = ({ packages, commits }: typeof misses) =>
    `${count(packages, "package")} in ${count(commits, "commit")}`;
  return [
    `${count(compared, "commit")} compared${failed > 0 ? `, ${failed} not` : ""}\n`,
    `mean per commit: affected ${ours.mean.toFixed(1)}, ${name} ${theirs.mean.toFixed(1)}${times}\n`,
    `everything selected: affected ${count(ours.everything, "commit")}, ${name} ${count(theirs.everything, "commit")}\n`,
    `misses, which only ${name} selected: ${each(misses)}\n`,
    `extras, which only affected selected: ${each(extras)}\n`,
    `time: affected ${formatDuration(ours.ms)}, ${name} ${formatDuration(theirs.ms)}\n`,
  ];
}
