import { shellWord } from "@skein/git";
import { count, formatBytes, printable, some } from "@skein/reporting";
import { inOneLine, shortRef } from "../words/problem-words.js";
import { explainRefusal } from "../refusals/index.js";
import type { JudgedPull, OpenPull, PullFate, PullReport } from "./pull.js";
import { pullBranch } from "./pull.js";

/** Renders the list of open pull requests for the plan. */
export function renderOpenPulls(
  pulls: readonly OpenPull[],
  destination: string,
  transplanted: boolean,
): string {
  const lines = pulls.map((pull) => {
    const fate =
      pull.ref === undefined
        ? "cannot be transplanted: its head was deleted"
        : transplanted
          ? `-> ${shortRef(pullBranch(destination, pull.number))}`
          : "";
    return `    ${[headline(pull), fate].filter(Boolean).join(" ")}`;
  });
  const hint =
    transplanted || pulls.length === 0
      ? []
      : ["    bring their branches with --transplant"];
  return `  pull requests ${pulls.length === 0 ? "none open" : `${pulls.length} open`}\n${[...lines, ...hint].map((line) => `${line}\n`).join("")}`;
}

/**
 * Renders the result for each pull request, and the next steps.
 * @param dryRun whether nothing has landed, so that the results are predictions
 */
export function renderPullReport(
  { repository, onto, pulls, closed, lfs }: PullReport,
  dryRun = false,
): string {
  const carried = pulls.filter(({ fate }) => fate.kind === "carried");
  const branches = carried.flatMap(({ fate }) =>
    fate.kind === "carried" ? [shortRef(fate.ref)] : [],
  );
  const [first = ""] = branches;
  const folder = first.slice(0, first.lastIndexOf("/"));
  return [
    `Pull requests of ${repository}: ${pulls.length} open, ${carried.length} ${dryRun ? "can be transplanted with --transplant" : "transplanted"}.`,
    ...pulls.map(({ pull, fate }) => `  ${headline(pull)}: ${wordsOf(fate)}`),
    ...closed.map(
      ({ number, ref }) =>
        `  #${number}: closed in the source since; ${shortRef(ref)} is unchanged`,
    ),
    ...(carried.length === 0 || dryRun
      ? []
      : [
          `To continue with one: git switch ${first}, then: git merge ${printable(onto)}`,
          ...sayLfs(lfs),
          `To push them: git push origin 'refs/heads/${folder}/*'`,
        ]),
    "",
  ].join("\n");
}

function sayLfs({
  count: fetched,
  size,
  missing,
}: PullReport["lfs"]): string[] {
  if (missing)
    return [
      `warning: ${count(missing.files, "file")} of theirs in Git LFS ${missing.files === 1 ? "is a pointer to a missing object" : "are pointers to missing objects"}: ${missing.message}`,
      `hint: before you push them: git lfs fetch --all ${shellWord(missing.from)}`,
    ];
  if (fetched === 0) return [];
  return [
    `${count(fetched, "object")} (${formatBytes(size)}) of Git LFS fetched; on such a branch the files are pointers until: git lfs install && git lfs checkout`,
  ];
}

/** Returns each pull request with its result, for `--json`. */
export function pullEvent({
  repository,
  pulls,
  closed,
  lfs,
}: PullReport): object {
  return {
    event: "pulls",
    repository,
    pulls: pulls.map(({ pull, fate }: JudgedPull) => ({
      number: pull.number,
      title: pull.title,
      author: pull.author,
      draft: pull.draft,
      base: pull.base,
      from: pull.from,
      fate,
      words: wordsOf(fate),
    })),
    closed,
    lfs,
  };
}

function headline({ number, title, author, draft, from }: OpenPull): string {
  return `#${number} ${printable(title)} (${draft ? "draft, " : ""}${printable(author ?? "a deleted account")}, ${printable(from)})`;
}

function wordsOf(fate: PullFate): string {
  switch (fate.kind) {
    case "carried":
      return [
        `${shortRef(fate.ref)}, ${count(fate.commits, "commit")}${fate.before === undefined ? "" : ", moved on"}`,
        fate.conflicts.length > 0
          ? `conflicts in ${some(fate.conflicts)}`
          : "merges cleanly",
        ...(fate.removed.length > 0
          ? [`changes what the clean-up removed: ${some(fate.removed)}`]
          : []),
      ].join("; ");
    case "unchanged":
      return `${shortRef(fate.ref)}, as before`;
    case "branch-taken":
      return `not touched: ${shortRef(fate.ref)} is checked out, or has other commits`;
    case "ref-refused":
    case "content-refused": {
      const { sentence, hint } = explainRefusal(fate.refusal);
      return `not transplanted: ${inOneLine(sentence, hint)}`;
    }
    case "head-gone":
      return "not transplanted: its head was deleted, and the source keeps no refs/pull of it; ask its author for the branch";
    case "unreadable":
      return `not transplanted: git rejects it: ${printable(fate.output.split("\n")[0] ?? "")}`;
    case "nothing-new":
      return "nothing to transplant: all its changes are here already, or in files that were not migrated";
    case "unrelated":
      return "not transplanted: it shares no history with what was migrated";
  }
}
